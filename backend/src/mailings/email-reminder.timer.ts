import { Inject, Injectable } from '@nestjs/common';
import { reminderAt, reminderSentence } from '@roughmix/contracts/todos/todo.due.js';
import type { NamingNotification } from '../notifications/notification-views.queries.js';
import { NotificationsQueries } from '../notifications/notifications.queries.js';
import type { Clock } from '../platform/clock.js';
import { ConnectedUsers } from '../platform/live/connected-users.js';
import { reminderEmail } from '../platform/mail/templates/mailing-emails.js';
import type { Timer, TimerHandler } from '../platform/timers/timer.js';
import { Timers } from '../platform/timers/timers.js';
import { CLOCK } from '../platform/tokens.js';
import { ProjectOpenings } from '../projects/project-openings.queries.js';
import { heldMailingsTimer } from './count-held-mailings.timer.js';
import { MailingHours } from './mailing-hours.js';
import { MailingReceivers } from './mailing-receivers.js';
import { Mailings } from './mailings.js';
import { ReminderPushes } from './reminder-pushes.js';

export const REMINDER_EMAILS = 'email-reminder';

/** E-mails a reminder that reached its receiver in no other way (ADR 58). The key is the notification's id. */
@Injectable()
export class EmailReminder implements TimerHandler {
  readonly kind = REMINDER_EMAILS;
  readonly afterRestore = 'drop';
  @Inject() private readonly receivers: MailingReceivers;
  @Inject() private readonly openings: ProjectOpenings;
  @Inject() private readonly hours: MailingHours;
  @Inject() private readonly timers: Timers;
  @Inject(CLOCK) private readonly clock: Clock;

  constructor(
    private readonly notifications: NotificationsQueries,
    private readonly pushes: ReminderPushes,
    private readonly connected: ConnectedUsers,
    private readonly mailings: Mailings,
  ) {}

  async fire({ key, position = 0, data = {} }: Timer): Promise<void> {
    const notification = (await this.notifications.namedAt(position)).find(({ view }) => view._id === key);
    if (notification === undefined || !notification.view.isUnread || notification.view.gone) return;
    const { receiverId, parentResourceId } = notification.view;
    if ((await this.receivers.of(receiverId, 'todoReminders')) === null) return;
    // A person whom others have added to a project has not asked for its e-mails.
    if (parentResourceId === null || !(await this.openings.hasOpened(parentResourceId, receiverId))) return;
    const hasReached = data['by'] === 'push' ? await this.pushes.haveReached(key) : this.connected.has(receiverId);
    if (!hasReached) await this.send(notification, Number(data['remindAt']));
  }

  private async send({ view, names }: NamingNotification, remindAt: number): Promise<void> {
    const { _id, receiverId: uid, postOwnerId, message, href, dueDate } = view;
    const reminder = reminderAt(remindAt, dueDate ?? 0);
    if (reminder === null || href === null) return;
    const heldUntil = await this.hours.take({ uid, mailing: 'todoReminders' }, _id);
    if (heldUntil !== null) return this.timers.set(heldMailingsTimer({ uid, mailing: 'todoReminders' }, heldUntil));
    const about = message.slice(reminderSentence(reminder.label).length);
    await this.mailings.send({
      uid,
      mailing: 'todoReminders',
      causedBy: postOwnerId ?? uid,
      names,
      key: `reminder-${_id}`,
      compose: (urlOf, unsubscribeLink) => {
        const facts = { reminder, about, link: urlOf(href), unsubscribeLink };
        return { ...reminderEmail(facts, this.clock()), reminder: facts };
      },
    });
  }
}
