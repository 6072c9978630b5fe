import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../platform/clock.js';
import { type Timer, timerContext, type TimerHandler, type TimerRequest } from '../platform/timers/timer.js';
import { CLOCK } from '../platform/tokens.js';
import { ProjectStreams } from './project.streams.js';

const KIND = 'abandon-unfinished-project';
const DAY_MS = 24 * 60 * 60_000;

/** The timer that abandons a project a day after it was created. `position`: of the event that created it, where that is known. */
export const abandonmentOf = (projectId: Id, createdAt: Instant, position?: Position): TimerRequest => ({
  kind: KIND,
  key: projectId,
  at: createdAt + DAY_MS,
  ...(position === undefined ? {} : { position }),
});

/** Removes a project that still has no version. The decider does nothing for one that has a version, is removed, or does not exist. */
@Injectable()
export class AbandonUnfinishedProject implements TimerHandler {
  readonly kind = KIND;
  readonly afterRestore = 'fire';

  constructor(
    private readonly streams: ProjectStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async fire(timer: Timer): Promise<void> {
    await this.streams.record(timerContext(timer, this.clock()), timer.key, { type: 'AbandonProject', data: {} });
  }
}
