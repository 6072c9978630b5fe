import { setTimeout as pause } from 'node:timers/promises';
import type { Topic } from '@roughmix/contracts/live.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { idInStream } from '../../kernel/stream-name.js';
import type { EventStore } from '../event-store/event-store.js';
import { restartOnFailure } from '../restart-on-failure.js';
import { PositionSignal } from '../projections/position-signal.js';
import type { OpenedEvents } from '../streams/opened-events.js';
import type { LaneName, LiveStep, PushSource } from './live-message.js';
import { isLag, type LiveReads } from './live-reads.js';
import { type BuiltStep, type BuiltSteps, PushBuilder } from './push-builder.js';
import { roomOf, type Topics } from './topics.js';
import type { Logger } from '../logger.js';

/** Sends what the feed builds. */
export interface FeedListener {
  /** Whether any socket is connected: without one nothing is asked of push sources. */
  isAwake(): boolean;
  /** Whether a socket of this process is in the topic's room. */
  isHeard(topic: Topic): boolean;
  /** Sends the steps of one event, in order. */
  deliver(steps: readonly BuiltStep[]): Promise<void>;
  /** The rooms of these topics may have missed pushes. */
  fail(topics: readonly Topic[]): void;
}

/** What was built of an event before its turn. */
interface Early extends BuiltSteps {
  /** Whether any socket was connected. */
  readonly wasAwake: boolean;
  readonly error?: Error;
}

/** What all lanes use. */
export interface LaneParts {
  readonly store: EventStore;
  readonly opened: OpenedEvents;
  readonly reads: LiveReads;
  readonly topics: Topics;
  readonly log: Logger;
}

const PAGE = 100;
const RETRY_MS = 100;
const NOTHING: BuiltSteps = { steps: [], skipped: [], failed: [] };

/** Follows the log and delivers the pushes of some sources, one event after the other, as soon as the read models hold it. */
export class Lane {
  readonly pushes: PushBuilder;
  private readonly stopping = new AbortController();
  private readonly reached = new PositionSignal();
  private turn: Promise<unknown> = Promise.resolve();
  private loop: Promise<void> = Promise.resolve();

  /** @param kinds the topic kinds it feeds; null for all */
  constructor(
    readonly name: LaneName['name'],
    private readonly kinds: readonly string[] | null,
    sources: readonly PushSource[],
    private readonly parts: LaneParts,
  ) {
    this.pushes = new PushBuilder(sources, parts.log);
  }

  /** The position of the last event that was delivered. */
  get position(): Position {
    return this.reached.position;
  }

  feeds(kind: string): boolean {
    return this.kinds === null || this.kinds.includes(kind);
  }

  /** True once the lane has delivered a position, false when that takes longer than so many milliseconds. */
  comesTo(position: Position, milliseconds: number): Promise<boolean> {
    return this.reached.waitFor(position, milliseconds);
  }

  start(after: Position, listener: FeedListener): void {
    this.reached.reach(after);
    const onFailure = (error: unknown): void => this.parts.log.error({ err: error, lane: this.name }, 'live feed failed, retrying');
    this.loop = restartOnFailure(() => this.follow(listener), { signal: this.stopping.signal, onFailure });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.reached.close();
    await this.loop;
  }

  /** Runs work while the lane delivers nothing. */
  whilePaused<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async follow(listener: FeedListener): Promise<void> {
    const { signal } = this.stopping;
    for await (const page of this.parts.store.subscribe({ after: this.position, signal, limit: PAGE })) {
      for (const event of page) await this.handle(event, listener);
    }
  }

  private async handle(stored: StoredEvent, listener: FeedListener): Promise<void> {
    // Built before its turn comes: joining a room does not wait for views.
    const early = await this.early(stored, listener);
    if (this.stopping.signal.aborted) return;
    await this.whilePaused(async () => {
      try {
        await this.deliver(stored, early, listener);
      } catch (error) {
        this.parts.log.error({ err: error, position: stored.position, type: stored.type }, 'event was not pushed; its sockets reconnect and catch up');
        listener.fail([...this.parts.topics.withId(idInStream(stored)), ...early.steps.flatMap((step) => (step.kind === 'built' ? step.topics : []))]);
      } finally {
        this.reached.reach(stored.position);
      }
    });
  }

  private async deliver(stored: StoredEvent, early: Early, listener: FeedListener): Promise<void> {
    if (early.error !== undefined) throw early.error;
    // A socket may have connected or joined since.
    const isOutdated = early.wasAwake ? early.skipped.some(wantedBy(listener, early.steps)) : listener.isAwake();
    const built = isOutdated ? await this.parts.reads.asOf(stored.position, () => this.attempt(stored, listener)) : early;
    await listener.deliver(built.steps);
    if (built.failed.length > 0) listener.fail(built.failed);
  }

  /** Builds an event's pushes for the rooms that are open now, once the read models hold it. While they lag, pushes wait. */
  private async early(stored: StoredEvent, listener: FeedListener): Promise<Early> {
    const { signal } = this.stopping;
    const { reads, log } = this.parts;
    for (let isLogged = false; !signal.aborted;) {
      try {
        return await reads.asOf(stored.position, () => this.attempt(stored, listener));
      } catch (error) {
        if (!isLag(error)) return { ...NOTHING, wasAwake: true, error: error instanceof Error ? error : new Error('not an error', { cause: error }) };
        if (!isLogged && !signal.aborted) log.error({ position: stored.position, lane: this.name }, 'pushes wait for the read models');
        isLogged = true;
        // Read models that are not served are refused at once.
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return { ...NOTHING, wasAwake: true };
  }

  private async attempt(stored: StoredEvent, listener: FeedListener): Promise<Early> {
    if (!listener.isAwake()) return { ...NOTHING, wasAwake: false };
    const event = await this.opened(stored);
    if (event === null) return { ...NOTHING, wasAwake: true };
    const { steps, failed } = await this.pushes.stepsOf(event);
    const built = await this.pushes.build(steps, wantedBy(listener, steps));
    // Which topics a failed source would have named is unknown: most likely those of the stream's own id.
    return { ...built, failed: failed ? [...built.failed, ...this.parts.topics.withId(idInStream(event))] : built.failed, wasAwake: true };
  }

  /** null for an event that cannot be read: it is in no read model either. */
  private async opened(stored: StoredEvent): Promise<StoredEvent | null> {
    const [opened] = await this.parts.opened.openEach([stored]);
    if (opened?.failure === undefined) return opened?.event ?? null;
    this.parts.log.error({ err: opened.failure, position: stored.position }, 'event cannot be read and is not pushed');
    return null;
  }
}

/** Which topics someone listens to: rooms with a socket, and those into which the same event promotes people. */
function wantedBy(listener: FeedListener, steps: readonly (LiveStep | BuiltStep)[]): (topic: Topic) => boolean {
  const filled = steps.flatMap((step) => (step.kind === 'promote' && listener.isHeard(step.from) ? [roomOf(step.to)] : []));
  return (topic) => listener.isHeard(topic) || filled.includes(roomOf(topic));
}
