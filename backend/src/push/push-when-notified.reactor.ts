import { Inject, Injectable } from '@nestjs/common';
import { isPushed } from '@roughmix/contracts/notifications/notification.types.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { NOTIFYING_EVENTS, NotificationsQueries } from '../notifications/notifications.queries.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import type { Logger } from '../platform/logger.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { PushQueue } from '../platform/push/push-queue.js';
import type { NewPush } from '../platform/push/push-records.js';
import { PushSubscriptions } from '../platform/push/push-subscriptions.js';
import { PUSH_TTL_MS } from '../platform/push/web-push.js';
import { CLOCK, CONFIG, LOG } from '../platform/tokens.js';
import { UsersQueries } from '../users/users.queries.js';

/** Queues what an event notified, for the browsers of those receivers who want it pushed. */
@Injectable()
export class PushWhenNotified implements Reactor {
  readonly name = 'push-when-notified';
  readonly startsAt = 'end';
  readonly handles = NOTIFYING_EVENTS;

  @Inject(CONFIG)
  private readonly config: Config;
  @Inject(CLOCK)
  private readonly clock: Clock;
  @Inject(LOG)
  private readonly log: Logger;

  constructor(
    private readonly reads: ReadModels,
    private readonly notifications: NotificationsQueries,
    private readonly users: UsersQueries,
    private readonly subscriptions: PushSubscriptions,
    private readonly queue: PushQueue,
  ) {}

  async react({ position, meta }: StoredEvent): Promise<void> {
    if (this.config.OUTBOUND === 'none' || this.clock() - meta.at >= PUSH_TTL_MS) return;
    for (const push of await this.wantedAt(position)) await this.queueFor(push);
  }

  private wantedAt(position: Position): Promise<readonly NewPush[]> {
    return this.reads.asOf(position, async () => {
      const made = await this.notifications.documentsMadeAt(position);
      const settings = await this.users.settings(made.map(({ receiverId }) => receiverId));
      const wanted = made.filter(({ receiverId, type, isMarkedUnread }) => isMarkedUnread && isPushed(type, settings(receiverId).pushNotifs));
      return wanted.map(({ receiverId: uid, notificationId }) => ({ uid, notificationId, position }));
    });
  }

  private async queueFor(push: NewPush): Promise<void> {
    const subscriptionIds = (await this.subscriptions.of(push.uid)).map(({ id }) => id);
    if (subscriptionIds.length === 0 || (await this.queue.add(push, subscriptionIds))) return;
    const { notificationId } = push;
    this.log.info({ notificationId }, 'notification not pushed: too many messages of its receiver wait for their push services');
  }
}
