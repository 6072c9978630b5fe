import type { ParkedReaction } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { EventStore } from '../event-store/event-store.js';
import { isTakenOver, type Term } from '../leases/lease.js';
import type { Logger } from '../logger.js';
import { pauseUnlessAborted } from '../pause.js';
import { openWithRetries } from '../projections/brief-retries.js';
import { positionOf } from '../projections/projection-batch.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';
import { isTransient } from './is-transient.js';
import type { Outage } from './outage.js';
import type { ParkedReactions } from './parked-reactions.js';
import type { ReactorProgress } from './reactor-progress.js';
import { StreamLanes } from './stream-lanes.js';
import { CheckpointLost, type TakenCheckpoint } from './taken-checkpoint.js';

/** What a reactor runs with. `signal` aborts when the reactors stop. */
export interface RunningParts {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly opened: OpenedEvents;
  readonly log: Logger;
  readonly checkpoint: TakenCheckpoint;
  readonly parked: ParkedReactions;
  readonly outage: Outage;
  readonly term: Term;
  readonly signal: AbortSignal;
  /** Milliseconds before the first retry of a failed reaction; doubles with each further one. */
  readonly pauseMs: number;
}

const PAGE = 200;
const TRIES = 5;
/** How many streams of one reactor have a reaction running at once. Mostly they wait for stores, or for their turn in a queue that is fair per person. */
const WIDTH = 32;
/** How far a reactor runs ahead of its slowest reaction, in events that it handles. */
const MAX_AHEAD = 1_000;
/** Pause after an error that is not transient, in milliseconds. */
const FAILED_MS = 500;

/** One reactor following the log: in order within a stream, while a slow or failing stream delays no other. */
export class RunningReactor {
  private readonly lanes = new StreamLanes(WIDTH);
  /** The last stored position. */
  private noted: Position;
  private storing: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;
  private onRoom: () => void = () => undefined;

  constructor(
    readonly reactor: Reactor,
    private readonly progress: ReactorProgress,
    private readonly parts: RunningParts,
  ) {
    this.noted = progress.read;
    parts.signal.addEventListener('abort', () => this.onRoom(), { once: true });
  }

  /** The position up to which everything is finished. */
  get position(): Position {
    return this.progress.stored.position;
  }

  /** Follows the log until the reactors stop. @throws errors of reading the log; call it again to continue */
  async follow(): Promise<void> {
    const { store, opened, outage, signal } = this.parts;
    for await (const page of store.subscribe({ after: this.progress.read, signal, limit: PAGE })) {
      const mine = page.filter((event) => this.reactor.handles.has(opened.newestType(event.type)));
      for (const each of await openWithRetries(opened, mine)) {
        while (this.progress.size >= MAX_AHEAD && !signal.aborted) await new Promise<void>((resolve) => (this.onRoom = resolve));
        if (signal.aborted) return;
        this.give(each);
      }
      outage.over(store);
      const last = page.at(-1);
      if (last !== undefined) this.progress.pass(last.position);
      if (mine.length === 0 && page.length === PAGE) await this.store();
    }
  }

  /** Stores the position if it has moved over events that need no reaction. */
  async note(): Promise<void> {
    if (this.position > this.noted) await this.store();
  }

  /** Runs work on a stream between two reactions to its events. */
  inLane<Answer>(stream: string, work: () => Promise<Answer>): Promise<Answer> {
    return this.lanes.run(stream, work);
  }

  /** Resolves when no reaction is running and the progress is stored. */
  async idle(): Promise<void> {
    await this.lanes.idle();
    await this.storing;
  }

  /** @param work what failed: by default following the log @returns milliseconds to wait before the next try */
  failed(error: unknown, work: unknown = this.parts.store): number {
    const { outage, term, log } = this.parts;
    if (isTransient(error)) return outage.failed(error, work);
    if (isTakenOver(error) || error instanceof CheckpointLost) term.giveUp();
    else log.error({ err: error, reactor: this.reactor.name }, 'reactor failed, trying again');
    return FAILED_MS;
  }

  private give(opened: Opened): void {
    const position = positionOf(opened);
    if (!this.progress.give(position)) return;
    const { stream } = opened.event ?? opened.failure;
    void this.lanes.run(stream, async () => {
      if (!this.parts.signal.aborted && (await this.answer(opened))) {
        this.progress.finish(position);
        this.onRoom();
        // The stream's next event waits for this, so that a kill repeats at most one finished reaction of a stream.
        await this.store();
      }
    });
  }

  /**
   * An event that cannot be read, or whose reaction keeps failing, is parked: stored in the vault and logged, and the stream continues with the next one.
   * @returns false when the reactors stopped first
   */
  private async answer(opened: Opened): Promise<boolean> {
    const reaction = opened.event === undefined ? { error: opened.failure } : await this.react(opened.event);
    return typeof reaction === 'string' ? reaction === 'done' : this.park(opened, reaction.error);
  }

  /** Tries until it succeeds, the reactors stop, or it has failed too often for a reason that does not pass by itself. */
  private async react(event: StoredEvent): Promise<'done' | 'stopped' | { readonly error: unknown }> {
    const { signal, term, outage } = this.parts;
    for (let tried = 0; !signal.aborted;) {
      if (!term.isHeld()) {
        term.giveUp();
        return 'stopped';
      }
      try {
        await this.reactor.react(event, signal);
        outage.over(event.position);
        return 'done';
      } catch (error) {
        if (signal.aborted) return 'stopped';
        if (!isTransient(error)) tried += 1;
        if (tried === TRIES) return { error };
        await pauseUnlessAborted(this.waitAfter(error, event, tried), signal);
      }
    }
    return 'stopped';
  }

  private waitAfter(error: unknown, { position, type }: StoredEvent, tried: number): number {
    const { log, outage, pauseMs } = this.parts;
    if (isTransient(error)) return outage.failed(error, position);
    log.error({ err: error, reactor: this.reactor.name, position, type, tried }, 'reaction failed, trying again');
    return pauseMs * 2 ** (tried - 1);
  }

  private park({ event, failure }: Opened, error: unknown): Promise<boolean> {
    const { position, stream, type } = event ?? failure;
    const reaction: ParkedReaction = { position, stream, type, reason: failure?.reason ?? 'reaction' };
    this.parts.log.error({ err: error, reactor: this.reactor.name, ...reaction }, 'reaction parked');
    return this.persist(position, () => this.parts.parked.park(this.reactor.name, reaction));
  }

  /** Stores the progress. All that ask while a write is under way share the next one. */
  private store(): Promise<void> {
    this.queued ??= this.storing.then(async () => {
      this.queued = null;
      await this.persist(this, async () => {
        const stored = this.progress.stored;
        await this.parts.checkpoint.move(stored);
        this.noted = stored.position;
      });
    });
    this.storing = this.queued;
    return this.queued;
  }

  /** Writes until it succeeds. @returns false when the reactors stopped first */
  private async persist(work: unknown, write: () => Promise<void>): Promise<boolean> {
    const { signal, outage } = this.parts;
    for (;;) {
      try {
        await write();
        outage.over(work);
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        await pauseUnlessAborted(this.failed(error, work), signal);
      }
    }
  }
}
