import { Inject, Injectable } from '@nestjs/common';
import { isPushed } from '@roughmix/contracts/notifications/notification.types.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../platform/config/config.js';
import { PushQueue } from '../platform/push/push-queue.js';
import { PushSubscriptions } from '../platform/push/push-subscriptions.js';
import { CONFIG } from '../platform/tokens.js';
import { UserStreams } from '../users/user.streams.js';

/** Push messages, which take precedence over reminder e-mails. */
@Injectable()
export class ReminderPushes {
  constructor(
    private readonly queue: PushQueue,
    private readonly subscriptions: PushSubscriptions,
    private readonly users: UserStreams,
    @Inject(CONFIG) private readonly config: Pick<Config, 'OUTBOUND'>,
  ) {}

  /** Whether reminders of a user are pushed: a browser has subscribed, and neither their settings nor this installation prevent it. */
  async areTriedFor(uid: Uid): Promise<boolean> {
    const person = await this.users.person(uid);
    const isWanted = person !== null && isPushed('TodoReminder', person.settings.pushNotifs);
    return isWanted && this.config.OUTBOUND !== 'none' && (await this.subscriptions.of(uid)).length > 0;
  }

  /** Whether a push service has accepted the message of a notification. */
  async haveReached(notificationId: Id): Promise<boolean> {
    return (await this.queue.outcomeOf(notificationId)).accepted;
  }
}
