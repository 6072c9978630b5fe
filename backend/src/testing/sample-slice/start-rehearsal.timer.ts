import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../platform/clock.js';
import { type Timer, timerContext, type TimerHandler } from '../../platform/timers/timer.js';
import { CLOCK } from '../../platform/tokens.js';
import { RehearsalStreams } from './rehearsal.streams.js';

export const START_TIMERS = 'start-rehearsal';

/** Starts a rehearsal when its time comes. The decider does nothing for one that was moved, was cancelled or has started. */
@Injectable()
export class StartRehearsal implements TimerHandler {
  readonly kind = START_TIMERS;
  readonly afterRestore = 'fire';

  constructor(
    private readonly streams: RehearsalStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async fire(timer: Timer): Promise<void> {
    await this.streams.record(timerContext(timer, this.clock()), timer.key, { type: 'StartRehearsal', data: { startsAt: timer.at } });
  }
}
