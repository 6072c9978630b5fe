import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import { keepGoing } from '../keep-going.js';
import { OpenedEvents } from '../opened-events.js';
import { ProjectionRunner, type ProjectionLog } from '../projection-runner.js';
import { EVENT_STORE, LOG } from '../tokens.js';
import { type LiveStep, PUSH_SOURCES, type PushSource } from './live-message.js';

/** Who hears the feed. */
export interface FeedListener {
  /** Whether anybody listens: messages that nobody would hear are not made. Asked between two events. */
  isHeard(): boolean;
  /** Takes the steps of one event, in order. */
  take(steps: readonly LiveStep[]): void;
}

const PAGE = 100;
const PROJECTION_WAIT_MS = 30_000;

/**
 * Follows the log and hands every event's steps on, one event after the other, once the read models hold it. What must not overlap with
 * that (joining a room) runs in between.
 */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();
  private loop: Promise<void> = Promise.resolve();
  private reached: Position = 0;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PUSH_SOURCES) private readonly sources: readonly PushSource[],
    @Inject(LOG) private readonly log: ProjectionLog,
    private readonly projections: ProjectionRunner,
    private readonly opened: OpenedEvents,
  ) {}

  /** The position of the last event whose steps were taken. */
  get position(): Position {
    return this.reached;
  }

  async start(listener: FeedListener): Promise<void> {
    this.reached = await this.store.head();
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
  async stepsOf(event: StoredEvent): Promise<readonly LiveStep[]> {
    const steps: LiveStep[] = [];
    for (const source of this.sources) {
      try {
        steps.push(...(await source.steps(event)));
      } catch (error) {
        this.log.error({ err: error, position: event.position, type: event.type }, 'no live message could be made');
      }
    }
    return steps;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async follow(listener: FeedListener): Promise<void> {
    for await (const page of this.store.subscribe({ after: this.reached, signal: this.stopping.signal, limit: PAGE })) {
      for (const event of page) await this.handOn(event, listener);
    }
  }

  private async handOn(event: StoredEvent, listener: FeedListener): Promise<void> {
    const saved = await this.projections.saved.waitFor(event.position, PROJECTION_WAIT_MS);
    if (!saved && !this.stopping.signal.aborted) this.log.error({ position: event.position }, 'live messages go out before the read models hold them');
    await this.between(async () => {
      try {
        if (!listener.isHeard()) return;
        for (const opened of await this.opened.openEach([event])) {
          if (opened.failure === undefined) listener.take(await this.stepsOf(opened.event));
          else this.log.error({ err: opened.failure, position: event.position, type: event.type }, 'no live message could be made');
        }
      } finally {
        // An event that cannot be handed on costs its own messages, not those behind it.
        this.reached = event.position;
      }
    });
  }
}
