import type { Actor, Decider, Stored } from '../../kernel/decider.js';
import type { DomainEvent, StoredEvent } from '../../kernel/event.js';
import { Refused } from '../../kernel/refusal.js';
import type { EventStore } from '../event-store/event-store.js';
import type { KeyEpoch } from '../personal-data/key-epoch.js';
import { FoldCache } from './fold-cache.js';
import { appendOf, commandKey, EventsMissing, type FoldedStream, type NamedDecider, remember, unread } from './folded-stream.js';
import type { OpenedEvents } from './opened-events.js';
import { SNAPSHOT_EVERY, type Snapshots } from './snapshots.js';

const PAGE = 500;
/** On shutdown a stream gets a snapshot when the next start would have to read at least this many of its events; at most so many streams do. */
const KEPT_AT_END = { events: 100, streams: 50 };

/** Folds streams and caches the folds, so that a command reads only new events. */
export class StreamFolds {
  private readonly cache = new FoldCache();
  /** Rises when every fold must be forgotten; a fold begun before that is not kept. */
  private epoch = 0;

  /** Without snapshots a cold stream is folded from its first event. `keys`: given where other processes may destroy keys too. */
  constructor(
    private readonly store: EventStore,
    private readonly opened: OpenedEvents,
    private readonly snapshots: Snapshots | null = null,
    private readonly keys: KeyEpoch | null = null,
  ) {
    keys?.onChange(() => this.forgetFolds());
  }

  /** The revision up to which a decider's fold of a stream is in memory, null without one. Later events were written by other processes. */
  revisionOf(decider: NamedDecider, stream: string): number | null {
    return this.cache.get(decider, stream)?.revision ?? null;
  }

  /** The fold in memory as it is, null where none may be used. Later events were written by other processes. */
  known<State>(decider: NamedDecider, stream: string): FoldedStream<State> | null {
    return this.keys?.isCurrent === false ? null : this.cache.get<State>(decider, stream);
  }

  /** The fold brought to the stream's end. @throws EventsMissing, EventUnreadable when it cannot be folded whole */
  async current<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string): Promise<FoldedStream<State>> {
    const remembers = this.keys?.isCurrent !== false;
    if (!remembers) this.forgetFolds();
    const { epoch } = this;
    const known = remembers ? (this.cache.get<State>(decider, stream) ?? (await this.fromSnapshot(decider, stream))) : null;
    const fold = known ?? unread(stream, decider.initial());
    for (;;) {
      const page = await this.opened.open(await this.store.readStream(stream, { from: fold.revision + 1, limit: PAGE }));
      this.foldOn(decider, fold, page);
      if (page.length < PAGE) break;
    }
    if (epoch === this.epoch && remembers) this.keep(decider, fold);
    return fold;
  }

  /** Folds events that follow the fold's revision. */
  advance<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, fold: FoldedStream<State>, events: readonly StoredEvent[]): void {
    const isKept = this.cache.holds(decider, fold) || fold.revision < 0;
    this.foldOn(decider, fold, events);
    if (isKept) this.keep(decider, fold);
  }

  /** The events of an earlier sending of the same command, null when this is the first. @throws Refused `command.key-reused` when the body was another. */
  async earlier<Event extends DomainEvent>(
    fold: FoldedStream<unknown>,
    context: { readonly actor: Actor; readonly commandId: string; readonly part?: string; readonly request?: string },
  ): Promise<readonly Stored<Event>[] | null> {
    const known = fold.commands.get(commandKey(context.actor.uid, context.commandId));
    if (known === undefined) return null;
    if (known.request !== context.request) throw new Refused('command.key-reused');
    const append = appendOf(known, context.part);
    if (append === undefined) return null;
    const limit = append.lastRevision - append.firstRevision + 1;
    const events = await this.opened.open(await this.store.readStream(fold.stream, { from: append.firstRevision, limit }));
    return events as readonly Stored<Event>[];
  }

  /** After an append with an unknown outcome: the next command reads from the log. */
  forget(stream: string): void {
    this.cache.forget(stream);
  }

  /** Offers the most recently used streams as snapshots, so that the next start reads little of them. */
  keepForNextStart(): void {
    const behind = this.cache.folds().filter(({ fold }) => fold.revision - fold.keptRevision >= KEPT_AT_END.events);
    for (const { decider, fold } of behind.slice(0, KEPT_AT_END.streams)) this.snapshots?.offer(decider, fold);
  }

  /** Forgets all folds and snapshots: a key was destroyed, and folds hold texts that were sealed with it. */
  async forgetAll(): Promise<void> {
    this.forgetFolds();
    await this.snapshots?.dropAll();
  }

  private forgetFolds(): void {
    this.epoch += 1;
    this.cache.clear();
  }

  private async fromSnapshot<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
  ): Promise<FoldedStream<State> | null> {
    const fold = (await this.snapshots?.load(decider, stream)) ?? null;
    if (fold === null) return null;
    const [last] = await this.store.readStream(stream, { from: fold.revision, limit: 1 });
    return last?.id === fold.lastEventId ? fold : null;
  }

  private keep<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, fold: FoldedStream<State>): void {
    if (fold.revision < 0) return;
    this.cache.keep(decider, fold);
    if (fold.revision - fold.keptRevision < SNAPSHOT_EVERY) return;
    // Counts as kept once offered: after a failure the next offer replaces it.
    fold.keptRevision = fold.revision;
    this.snapshots?.offer(decider, fold);
  }

  /** Adds events to a fold. `evolve` may change the state in place, so a fold that fails on the way is forgotten: its state no longer fits its revision. */
  private foldOn<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    fold: FoldedStream<State>,
    events: readonly StoredEvent[],
  ): void {
    try {
      for (const event of events) {
        if (event.revision !== fold.revision + 1) throw new EventsMissing(fold.stream, fold.revision + 1, event.revision);
        fold.state = decider.evolve(fold.state, event as Stored<Event>);
        fold.revision = event.revision;
        fold.position = event.position;
        fold.lastEventId = event.id;
        fold.lastAt = Math.max(fold.lastAt, event.meta.at);
        remember(fold.commands, event);
      }
    } catch (error) {
      this.cache.forget(fold.stream);
      throw error;
    }
  }
}
