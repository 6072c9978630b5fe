import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';

/** One append of a command: the revisions of its events. */
export interface RememberedAppend {
  /** Which append, for a command with several. */
  readonly part?: string;
  readonly firstRevision: number;
  lastRevision: number;
}

/** A command that a stream remembers: its appends, and what its request looked like. */
export interface RememberedCommand extends RememberedAppend {
  readonly request: string | undefined;
  /** The appends after the first. */
  more?: readonly RememberedAppend[];
}

/** A stream's state as far as it was read. `revision` is -1, `lastEventId` empty before the first event. */
export interface FoldedStream<State> {
  readonly stream: string;
  state: State;
  revision: number;
  /** Of the last event; events just appended all carry that of the last one of their append. */
  position: Position;
  lastEventId: string;
  /** When the last event happened, 0 before the first. */
  lastAt: Instant;
  /** Up to where it was last kept as a snapshot, -1 for never. */
  keptRevision: number;
  /** The last 256 commands by actor and id, oldest first, and before them the one that began the stream. */
  readonly commands: Map<string, RememberedCommand>;
}

/** Events are missing from a stream's start or middle (it was truncated on the server): the rest must not be folded as if it were complete. */
export class EventsMissing extends Error {
  override readonly name = 'EventsMissing';

  constructor(stream: string, from: number, found: number) {
    super(`${stream} has no events ${from} to ${found - 1}: its next one is ${found}`);
  }
}

/** What tells folds of different deciders apart. */
export interface NamedDecider {
  readonly name: string;
}

/** A stream of which nothing was read yet. */
export const unread = <State>(stream: string, state: State): FoldedStream<State> => ({
  stream,
  state,
  revision: -1,
  position: 0,
  lastEventId: '',
  lastAt: 0,
  keptRevision: -1,
  commands: new Map(),
});

/** What a command is remembered under: ids count per person. */
export const commandKey = (actorUid: string | null, commandId: string): string => `${actorUid ?? ''}/${commandId}`;

/** The append of a part; undefined when the command has not run it yet. */
export const appendOf = (known: RememberedCommand, part: string | undefined): RememberedAppend | undefined =>
  [known, ...(known.more ?? [])].find((append) => append.part === part);

/** Records an event's command. The oldest is forgotten, but never the command that began the stream: its id made the stream's name. */
export function remember(commands: Map<string, RememberedCommand>, event: StoredEvent): void {
  const key = commandKey(event.meta.actorUid, event.meta.commandId);
  const known = commands.get(key);
  const { revision } = event;
  const { part, request } = event.meta;
  const append: RememberedAppend = { ...(part === undefined ? {} : { part }), firstRevision: revision, lastRevision: revision };
  if (known !== undefined) {
    const begun = appendOf(known, part);
    if (begun === undefined) known.more = [...(known.more ?? []), append];
    else begun.lastRevision = revision;
    return;
  }
  commands.set(key, { ...append, request });
  if (commands.size <= LIMITS.rememberedCommands + 1) return;
  const [, second] = commands.keys();
  if (second !== undefined) commands.delete(second);
}
