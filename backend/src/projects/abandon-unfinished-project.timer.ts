import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../platform/clock.js';
import { type Timer, timerContext, type TimerHandler } from '../platform/timers/timer.js';
import { CLOCK } from '../platform/tokens.js';
import { ProjectStreams } from './project.streams.js';

export const ABANDONMENT_TIMERS = 'abandon-unfinished-project';
const DAY_MS = 24 * 60 * 60_000;

/** Minimum delay of a timer that is set late, so that it does not remove a project whose first version is being uploaded. */
const MIN_MS = 60 * 60_000;

/** An unfinished project and the current time. `position`: of the event that created it, if known. */
interface Unfinished {
  readonly projectId: Id;
  readonly createdAt: Instant;
  readonly position?: Position;
  readonly now: Instant;
}

/** The timer that abandons a project a day after its creation, but at the earliest an hour from now. */
export const abandonmentOf = ({ projectId, createdAt, position, now }: Unfinished): Timer => ({
  kind: ABANDONMENT_TIMERS,
  key: projectId,
  at: Math.max(createdAt + DAY_MS, now + MIN_MS),
  ...(position === undefined ? {} : { position }),
});

/** Removes a project that still has no version. The decider ignores projects that have one, are removed, or do not exist. */
@Injectable()
export class AbandonUnfinishedProject implements TimerHandler {
  readonly kind = ABANDONMENT_TIMERS;
  readonly afterRestore = 'fire';

  constructor(
    private readonly streams: ProjectStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async fire(timer: Timer): Promise<void> {
    await this.streams.record(timerContext(timer, this.clock()), timer.key, { type: 'AbandonProject', data: {} });
  }
}
