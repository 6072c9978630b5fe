import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../platform/clock.js';
import { type Timer, timerContext, type TimerHandler } from '../platform/timers/timer.js';
import { CLOCK } from '../platform/tokens.js';
import { ProjectStreams } from '../projects/project.streams.js';

export const REMINDER_TIMERS = 'remind-of-todo';

/** A reminder of a todo. `position`: of the event that set it, if known; `by`: whose it is. */
export interface ReminderOf {
  readonly projectId: Id;
  readonly todoId: Id;
  readonly at: Instant;
  readonly position?: Position;
  readonly by?: Uid;
}

/** Made of the todo and the time, so a moved reminder gets another timer. The old one has no effect if it still fires. */
export const reminderKey = ({ todoId, at }: Pick<ReminderOf, 'todoId' | 'at'>): string => `${todoId}-${at}`;

export const reminderTimer = ({ projectId, todoId, at, position, by }: ReminderOf): Timer => ({
  kind: REMINDER_TIMERS,
  key: reminderKey({ todoId, at }),
  at,
  data: { projectId, todoId },
  ...(position === undefined ? {} : { position }),
  ...(by === undefined ? {} : { by }),
});

/** Fires reminders. The decider ignores those of todos that are completed, removed or due at another time, and of removed projects. */
@Injectable()
export class RemindOfTodo implements TimerHandler {
  readonly kind = REMINDER_TIMERS;
  readonly afterRestore = 'drop';

  constructor(
    private readonly streams: ProjectStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async fire(timer: Timer): Promise<void> {
    const { projectId = '', todoId = '' } = timer.data ?? {};
    await this.streams.record(timerContext(timer, this.clock()), projectId, { type: 'FireReminder', data: { todoId, at: timer.at } });
  }

  /** Counts a reminder as sent. */
  async skip({ projectId, todoId, at }: ReminderOf): Promise<void> {
    const timer = { kind: 'skip-reminder', key: reminderKey({ todoId, at }), at };
    await this.streams.record(timerContext(timer, this.clock()), projectId, { type: 'SkipReminder', data: { todoId, at } });
  }
}
