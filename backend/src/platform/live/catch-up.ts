import { Inject, Injectable } from '@nestjs/common';
import { type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Caller } from '../http/caller.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { EVENT_STORE } from '../tokens.js';
import type { Lane } from './lane.js';
import { LiveFeed } from './live-feed.js';
import type { Eviction, LiveStep, Promotion } from './live-message.js';
import { LiveReads } from './live-reads.js';
import { missedEvents } from './missed.js';
import type { BuiltEmission } from './push-builder.js';
import { roomOf, Topics } from './topics.js';

/** The most events that may be built while the feed waits. */
const HAND_OVER = 20;
/** Finding where to start in a stream takes several reads. */
const MOST_STREAMS = 100;

/** A return to a topic: the caller, and the last position they handled. */
export interface Return {
  readonly topic: Topic;
  readonly caller: Caller;
  readonly after: Position;
  /** Milliseconds of this process's monotonic clock; after it the client has to reload. */
  readonly deadline: number;
}

/** How far a lane's events have been read. */
interface Progress {
  readonly until: Position;
  /** The revision that follows, by stream. */
  readonly next: ReadonlyMap<string, number>;
}

interface MissedEmission {
  readonly position: Position;
  readonly emission: BuiltEmission;
}

/** What one caller missed, as far as it has been read. */
export class Missed {
  readonly progress = new Map<Lane, Progress>();
  readonly emissions: MissedEmission[] = [];
  /** Topics from which the caller was taken out by name. */
  readonly evictedFrom: Topic[] = [];
  events = 0;
  bytes = 0;

  constructor(readonly back: Return) {}

  get isLate(): boolean {
    return performance.now() > this.back.deadline;
  }

  /** In the order of the log. */
  inOrder(): readonly BuiltEmission[] {
    return this.emissions.toSorted((one, other) => one.position - other.position).map(({ emission }) => emission);
  }
}

/** Whether everything was read, more has to be read first, or the client has to reload. */
export type CatchUpState = 'done' | 'more' | 'reload';

/** Reads the events that a caller missed and builds their pushes. */
@Injectable()
export class CatchUp {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly feed: LiveFeed,
    private readonly opened: OpenedEvents,
    private readonly reads: LiveReads,
    private readonly topics: Topics,
  ) {}

  /** Reads what was missed while the feed goes on, until little or nothing is left. */
  async run(missed: Missed): Promise<CatchUpState> {
    if (!(await this.feed.comesTo(missed.back.after))) return 'reload';
    // Positions lie far apart in some logs: only events say how much was missed.
    for (;;) {
      const before = missed.events;
      const state = await this.advance(missed);
      if (state !== 'done' || missed.events - before <= HAND_OVER) return state;
    }
  }

  /** Reads the newest events while the feed waits; 'more', with nothing read, when there are too many for that. */
  finish(missed: Missed): Promise<CatchUpState> {
    return this.advance(missed, HAND_OVER);
  }

  private async advance(missed: Missed, most = Infinity): Promise<CatchUpState> {
    for (const lane of this.feed.lanesOf(missed.back.topic.kind)) {
      const until = lane.position;
      if (missed.isLate) return 'reload';
      const state = await this.reads.asOf(until, () => this.advanceLane(missed, { lane, until, most }));
      if (state !== 'done') return state;
    }
    return 'done';
  }

  private async advanceLane(missed: Missed, { lane, until, most }: { lane: Lane; until: Position; most: number }): Promise<CatchUpState> {
    const before = missed.progress.get(lane) ?? { until: missed.back.after, next: new Map() };
    // A lane that lags delivers these events later, to the room.
    if (until <= before.until) return 'done';
    const read = await this.read(missed, before, until);
    if (read === null) {
      missed.events = LIMITS.catchUpEvents;
      return 'reload';
    }
    if (read.events.length > most) return 'more';
    missed.events += read.events.length;
    missed.progress.set(lane, { until, next: read.next });
    for (const { event, failure } of await this.opened.openEach(read.events)) {
      if (missed.isLate || (failure === undefined && !(await this.build(missed, lane, event)))) return 'reload';
    }
    return 'done';
  }

  private async read(
    { back, events }: Missed,
    before: Progress,
    until: Position,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly next: ReadonlyMap<string, number> } | null> {
    const streams = await this.topics.kindOf(back.topic).streamsOf(back.topic.id, before.until);
    if (streams === null || streams.length > MOST_STREAMS) return null;
    const found: StoredEvent[] = [];
    const next = new Map<string, number>();
    for (const stream of streams) {
      const span = { after: before.until, until, from: before.next.get(stream) };
      const missed = await missedEvents(this.store, stream, span, LIMITS.catchUpEvents - events - found.length);
      if (missed === null) return null;
      found.push(...missed.events);
      if (missed.next !== undefined) next.set(stream, missed.next);
    }
    return { events: found.toSorted((one, other) => one.position - other.position), next };
  }

  /** @returns false when the client has to reload */
  private async build(missed: Missed, lane: Lane, event: StoredEvent): Promise<boolean> {
    const { steps, failed } = await lane.pushes.stepsOf(event);
    if (failed || steps.some((step) => step.kind !== 'emit' && changesAccess(step, missed.back))) return false;
    missed.evictedFrom.push(...steps.flatMap((step) => (isEvictionOf(step, missed.back.caller) ? [step.topic] : [])));
    const built = await lane.pushes.build(steps, (topic) => isFor(topic, missed.back));
    if (built.failed.length > 0) return false;
    for (const step of built.steps) {
      if (step.kind !== 'built') continue;
      missed.emissions.push({ position: event.position, emission: step });
      missed.bytes += step.pushes.reduce((sum, push) => sum + JSON.stringify(push).length, 0);
    }
    return missed.bytes <= LIMITS.catchUpBytes;
  }
}

/** The room itself, and what its streams have for the person alone. */
function isFor(topic: Topic, { topic: joined, caller }: Return): boolean {
  const room = roomOf(topic);
  return room === roomOf(joined) || (!caller.isGuest && room === roomOf(userTopic(caller.uid)));
}

const isEvictionOf = (step: LiveStep, { uid }: Caller): step is Eviction => step.kind === 'evict' && step.uids !== 'everybody' && step.uids.includes(uid);

/** Whether the caller was not in the joined room all the time: removed, promoted, or the room was closed. A person is never taken out of their own room. */
function changesAccess(step: Eviction | Promotion, { topic, caller }: Return): boolean {
  if (topic.kind === 'user') return false;
  if (step.uids !== 'everybody') return step.uids.includes(caller.uid);
  return step.kind === 'evict' && roomOf(step.topic) === roomOf(topic);
}
