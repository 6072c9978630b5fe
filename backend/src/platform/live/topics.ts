import { Inject, Injectable } from '@nestjs/common';
import type { Topic } from '@roughmix/contracts/live.js';
import type { ComingBack } from '@roughmix/contracts/live.api.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../../kernel/refusal.js';

/** The name of a topic's room. */
export const roomOf = ({ kind, id }: Topic): string => `${kind}:${id}`;

/** Whether a person may receive a topic's pushes. */
export type MayHear = (uid: Uid) => boolean;

/** One kind of topic. A slice adds one by a {@link TopicSource} in its manifest. */
export interface TopicKind {
  readonly kind: string;
  /** Who may receive the topic's pushes now. Reads what it needs once, then answers for any number of people. */
  access(id: Id): Promise<MayHear>;
  /**
   * The streams whose events after a position have pushes for the topic; streams without newer events may be left out. null: the streams are not known or
   * too many, so the client has to reload.
   */
  streamsOf(id: Id, after: Position): Promise<readonly string[] | null>;
  /** The position of the topic's newest event that a person may know of. Acks of kinds without it name the position up to which the log was delivered. */
  readonly newest?: (id: Id, uid: Uid) => Promise<Position | null>;
  /** For kinds with presence: the fields of `currentUsers` that name the topic, as `{projectId}`. */
  readonly presence?: (id: Id) => Readonly<Record<string, Id>>;
  /** Called once a person has joined the topic by a message. */
  readonly joined?: (id: Id, uid: Uid) => Promise<void>;
}

/** A pair of messages by which browsers join and leave topics. The gateway has to listen to both names. */
export interface JoinMessage {
  readonly join: string;
  readonly leave: string;
  /** A caller joins the topic of the first of these kinds that admits them. */
  readonly kinds: readonly string[];
  /** The problem when none admits them. */
  readonly notFound: ProblemCode;
  /** How many things one socket may have joined by this message. */
  readonly limit: number;
  /** @throws Refused when the body is invalid */
  readJoin(body: unknown): ComingBack & { readonly id: Id };
  /** @throws Refused when the body is invalid */
  readLeave(body: unknown): Id;
}

/** What a slice brings to the socket: kinds of topic, and how browsers join them. */
export interface TopicSource {
  readonly kinds: readonly TopicKind[];
  readonly joins?: readonly JoinMessage[];
}

export const TOPIC_SOURCES = Symbol('TopicSources');

function unique<Value>(what: string, entries: readonly (readonly [name: string, value: Value])[]): ReadonlyMap<string, Value> {
  const byName = new Map<string, Value>();
  for (const [name, value] of entries) {
    if (byName.has(name)) throw new Error(`the ${what} ${name} is registered twice`);
    byName.set(name, value);
  }
  return byName;
}

/** Every kind of topic, and the messages that join them. */
@Injectable()
export class Topics {
  private readonly kinds: ReadonlyMap<string, TopicKind>;
  private readonly messages: ReadonlyMap<string, JoinMessage>;

  /** @throws Error for a kind or a message that two sources register: the program does not start */
  constructor(@Inject(TOPIC_SOURCES) sources: readonly TopicSource[]) {
    this.kinds = unique(
      'topic kind',
      sources.flatMap(({ kinds }) => kinds).map((each) => [each.kind, each]),
    );
    this.messages = unique(
      'message',
      sources
        .flatMap((source) => source.joins ?? [])
        .flatMap((each) => [
          [each.join, each],
          [each.leave, each],
        ]),
    );
  }

  /** The topics of every kind that share an id. */
  withId(id: Id): readonly Topic[] {
    return [...this.kinds.keys()].map((kind) => ({ kind, id }));
  }

  /** @throws Error for a kind that is not registered */
  kindOf({ kind }: Pick<Topic, 'kind'>): TopicKind {
    const found = this.kinds.get(kind);
    if (found === undefined) throw new Error(`no topic kind is called ${kind}`);
    return found;
  }

  hasPresence(topic: Topic): boolean {
    return this.kindOf(topic).presence !== undefined;
  }

  /** The pair of messages that a name belongs to. @throws Refused `message.unknown` while no slice has registered it */
  joinMessage(name: string): JoinMessage {
    const message = this.messages.get(name);
    if (message === undefined) throw new Refused('message.unknown');
    return message;
  }
}
