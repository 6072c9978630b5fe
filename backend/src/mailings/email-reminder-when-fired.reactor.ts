import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { NotificationsQueries } from '../notifications/notifications.queries.js';
import type { Clock } from '../platform/clock.js';
import { ConnectedUsers } from '../platform/live/connected-users.js';
import type { Timer } from '../platform/timers/timer.js';
import { Timers } from '../platform/timers/timers.js';
import { CLOCK } from '../platform/tokens.js';
import { REMINDER_EMAILS } from './email-reminder.timer.js';
import { ReminderPushes } from './reminder-pushes.js';

/** How long a push message may take before an e-mail replaces it. */
const PUSH_MS = 60_000;

/** Sets when to decide whether a reminder is e-mailed: at once, or after the push message had its time. */
@Injectable()
export class EmailReminderWhenFired implements Reactor {
  readonly name = 'email-reminder-when-fired';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set(['TodoReminderFired']);
  @Inject(CLOCK) private readonly clock: Clock;

  constructor(
    private readonly notifications: NotificationsQueries,
    private readonly pushes: ReminderPushes,
    private readonly connected: ConnectedUsers,
    private readonly timers: Timers,
  ) {}

  async react({ position, data }: StoredEvent): Promise<void> {
    const { reminder } = data as TodoEvents['TodoReminderFired'];
    for (const { _id, receiverId, postOwnerId } of await this.notifications.madeAt(position)) {
      const timer = { kind: REMINDER_EMAILS, key: _id, position, by: postOwnerId ?? receiverId, ...(await this.decisionFor(receiverId)) };
      await this.timers.set({ ...timer, data: { ...timer.data, remindAt: String(reminder.at) } });
    }
  }

  /** When to decide, and whether by push messages. */
  private async decisionFor(uid: Uid): Promise<Pick<Timer, 'at' | 'data'>> {
    const now = this.clock();
    if (await this.pushes.areTriedFor(uid)) return { at: now + PUSH_MS, data: { by: 'push' } };
    return { at: Math.max(now, this.connected.settledAt), data: { by: 'sockets' } };
  }
}
