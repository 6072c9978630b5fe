import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Actor, Decider, Stored } from '../kernel/decider.js';
import type { DomainEvent, StoredEvent } from '../kernel/event.js';
import { Refused } from '../kernel/refusal.js';
import type { EventStore } from './event-store/event-store.js';
import type { OpenedEvents } from './opened-events.js';

/** A command that a stream remembers: the revisions of its events, and what its request looked like. */
interface RememberedCommand {
  readonly firstRevision: number;
  lastRevision: number;
  readonly request: string | undefined;
}

/** A stream's state as far as it was read. `revision` is -1 before the first event. */
export interface FoldedStream<State> {
  readonly stream: string;
  state: State;
  revision: number;
  /** The last 256 commands by actor and id, oldest first. */
  readonly commands: Map<string, RememberedCommand>;
}

const CACHED_STREAMS = 2_000;
const PAGE = 500;
const commandKey = (actorUid: string | null, commandId: string): string => `${actorUid ?? ''}/${commandId}`;

/** Folds streams and keeps the folds, so that a command reads only what is new. */
export class StreamFolds {
  private readonly cache = new Map<string, FoldedStream<unknown>>();

  constructor(
    private readonly store: EventStore,
    private readonly opened: OpenedEvents,
  ) {}

  /** The fold brought to the stream's end. */
  async current<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string): Promise<FoldedStream<State>> {
    const fold = this.cached<State>(stream) ?? { stream, state: decider.initial(), revision: -1, commands: new Map<string, RememberedCommand>() };
    for (;;) {
      const page = await this.opened.open(await this.store.readStream(stream, { from: fold.revision + 1, limit: PAGE }));
      this.advance(decider, fold, page);
      if (page.length < PAGE) return fold;
    }
  }

  /** Folds events that follow the fold's revision. */
  advance<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, fold: FoldedStream<State>, events: readonly StoredEvent[]): void {
    for (const event of events) {
      fold.state = decider.evolve(fold.state, event as Stored<Event>);
      fold.revision = event.revision;
      remember(fold.commands, event);
    }
    if (fold.revision >= 0) this.keep(fold);
  }

  /** The events of an earlier sending of the same command, null when this is the first. @throws Refused `command.key-reused` when the body was another. */
  async earlier<Event extends DomainEvent>(
    fold: FoldedStream<unknown>,
    context: { readonly actor: Actor; readonly commandId: string; readonly request?: string },
  ): Promise<readonly Stored<Event>[] | null> {
    const known = fold.commands.get(commandKey(context.actor.uid, context.commandId));
    if (known === undefined) return null;
    if (known.request !== context.request) throw new Refused('command.key-reused');
    const limit = known.lastRevision - known.firstRevision + 1;
    const events = await this.opened.open(await this.store.readStream(fold.stream, { from: known.firstRevision, limit }));
    return events as readonly Stored<Event>[];
  }

  /** After an append whose outcome is not known: the next command reads from the log. */
  forget(stream: string): void {
    this.cache.delete(stream);
  }

  private cached<State>(stream: string): FoldedStream<State> | null {
    return (this.cache.get(stream) as FoldedStream<State> | undefined) ?? null;
  }

  private keep(fold: FoldedStream<unknown>): void {
    this.cache.delete(fold.stream);
    this.cache.set(fold.stream, fold);
    const oldest = this.cache.keys().next();
    if (this.cache.size > CACHED_STREAMS && !oldest.done) this.cache.delete(oldest.value);
  }
}

function remember(commands: Map<string, RememberedCommand>, event: StoredEvent): void {
  const key = commandKey(event.meta.actorUid, event.meta.commandId);
  const known = commands.get(key);
  if (known !== undefined) {
    known.lastRevision = event.revision;
    return;
  }
  commands.set(key, { firstRevision: event.revision, lastRevision: event.revision, request: event.meta.request });
  const oldest = commands.keys().next();
  if (commands.size > LIMITS.rememberedCommands && !oldest.done) commands.delete(oldest.value);
}
