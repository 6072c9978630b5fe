import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import { keepGoing } from '../keep-going.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { PositionSignal } from '../projections/position-signal.js';
import type { ProjectionLog } from '../projections/projection-runner.js';
import { ReadSide } from '../projections/read-side.js';
import { EVENT_STORE, LOG } from '../tokens.js';
import { type LiveStep, PUSH_SOURCES, type PushSource } from './live-message.js';

/** Who hears the feed. */
export interface FeedListener {
  /** Whether anybody listens: messages that nobody would hear are not made. Asked between two events. */
  isHeard(): boolean;
  /** Takes the steps of one event, in order. */
  take(event: StoredEvent, steps: readonly LiveStep[]): Promise<void>;
  /** Some of an event's messages could not be made or sent, though the read models may hold what happened. */
  fail(event: StoredEvent): void;
}

/** What an event has to tell; `failed` when a source could not say its part. */
export interface StepsOfEvent {
  readonly steps: readonly LiveStep[];
  readonly failed: boolean;
}

const PAGE = 100;
const PROJECTION_WAIT_MS = 30_000;
const COMES_MS = 5_000;
const VIEWS_MS = 2_000;

/**
 * Follows the log and hands every event's steps on, one event after the other, once the read models hold it. What must not overlap with
 * that (joining a room) runs in between.
 */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();
  private loop: Promise<void> = Promise.resolve();
  private readonly reached = new PositionSignal();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PUSH_SOURCES) private readonly sources: readonly PushSource[],
    @Inject(LOG) private readonly log: ProjectionLog,
    private readonly readSide: ReadSide,
    private readonly opened: OpenedEvents,
  ) {}

  /** The position of the last event whose steps were taken. */
  get position(): Position {
    return this.reached.position;
  }

  /** True once the feed has come to a position that the log holds already, false when that takes too long. */
  comesTo(position: Position): Promise<boolean> {
    return this.reached.waitFor(position, COMES_MS);
  }

  async start(listener: FeedListener): Promise<void> {
    this.reached.reach(await this.store.head());
    const onFailure = (error: unknown): void => this.log.error({ err: error }, 'live feed failed, trying again');
    this.loop = keepGoing(() => this.follow(listener), { signal: this.stopping.signal, onFailure });
  }

  /** Runs while no event is being handed on. */
  between<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** The steps of an event as of now; a source that fails costs its own messages and is logged. */
  async stepsOf(event: StoredEvent): Promise<StepsOfEvent> {
    const steps: LiveStep[] = [];
    let failed = false;
    for (const source of this.sources) {
      try {
        steps.push(...(await source.steps(event)));
      } catch (error) {
        failed = true;
        this.log.error({ err: error, position: event.position, type: event.type }, 'no live message could be made');
      }
    }
    return { steps, failed };
  }

  /**
   * Waits until every read model holds what the views in these steps show: who may see them is asked afterwards, and must not be answered from before.
   * @returns false when that takes too long
   */
  async holdsViewsOf(steps: readonly LiveStep[]): Promise<boolean> {
    const shown = steps.map((step) => (step.kind === 'emit' ? (step.push.view?.position ?? 0) : 0));
    return this.readSide.saved.waitFor(Math.max(0, ...shown), VIEWS_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.reached.close();
    await this.loop;
  }

  private async follow(listener: FeedListener): Promise<void> {
    for await (const page of this.store.subscribe({ after: this.position, signal: this.stopping.signal, limit: PAGE })) {
      for (const event of page) await this.handOn(event, listener);
    }
  }

  /** What cannot be handed on costs its own messages, not those behind it. */
  private async handOn(event: StoredEvent, listener: FeedListener): Promise<void> {
    // From read models that do not hold it, what is new would be told as gone: while nobody builds them, messages wait.
    while (!(await this.readSide.saved.waitFor(event.position, PROJECTION_WAIT_MS, this.stopping.signal))) {
      if (this.stopping.signal.aborted) return;
      this.log.error({ position: event.position }, 'live messages wait for the read models');
    }
    if (this.stopping.signal.aborted) return;
    await this.between(async () => {
      try {
        if (listener.isHeard()) await this.tell(event, listener);
      } catch (error) {
        this.log.error({ err: error, position: event.position, type: event.type }, 'an event could not be told live');
        listener.fail(event);
      } finally {
        this.reached.reach(event.position);
      }
    });
  }

  /** An event that nobody can read is in no read model either: there is nothing to tell. */
  private async tell(stored: StoredEvent, listener: FeedListener): Promise<void> {
    for (const { event, failure } of await this.opened.openEach([stored])) {
      if (failure !== undefined) return this.log.error({ err: failure, position: stored.position }, 'an event that cannot be read is not told live');
      const { steps, failed } = await this.stepsOf(event);
      const isHeld = await this.holdsViewsOf(steps);
      if (isHeld) await listener.take(event, steps);
      if (failed || !isHeld) listener.fail(event);
    }
  }
}
