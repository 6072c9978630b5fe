import { Injectable } from '@nestjs/common';
import { type NotificationPush, userTopic } from '@roughmix/contracts/live.js';
import { type InboxEvent, inboxStream } from '@roughmix/contracts/notifications/notification.events.js';
import type { NotificationSet } from '@roughmix/contracts/notifications/notification.types.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Emission, factsOf, type LaneName, type PushSource } from '../platform/live/live-message.js';
import type { UserStreams } from '../platform/live/user-topic.js';
import type { NotificationDocument } from './notifications.documents.js';
import { NOTIFYING_EVENTS, NotificationsQueries } from './notifications.queries.js';

const toReceiver = (uid: Uid, build: () => Promise<readonly NotificationPush[]>): Emission => ({
  kind: 'emit',
  topics: [userTopic(uid)],
  channel: 'notification',
  build,
});

/** Pushes notifications to their receivers' own rooms. They have a lane of their own, so that no room waits for the notifications of hundreds of members. */
@Injectable()
export class NotificationsPushes implements PushSource, UserStreams {
  readonly lane: LaneName = { name: 'notifications', kinds: ['user'] };

  constructor(private readonly notifications: NotificationsQueries) {}

  async steps(stored: StoredEvent): Promise<readonly Emission[]> {
    const event = stored as Stored<InboxEvent>;
    switch (event.type) {
      case 'NotificationsRead':
        return [this.read(event, event.data.uid, event.data.notificationIds)];
      case 'NotificationsDismissed':
        return [this.dismissed(event, event.data.uid, event.data.set)];
      case 'ChecklistItemTicked':
      case 'ChecklistItemUnticked':
        return [this.card(event, event.data.uid)];
      default:
        return NOTIFYING_EVENTS.has(stored.type) ? this.made(stored) : [];
    }
  }

  async streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null> {
    const streams = await this.notifications.streamsSince(uid, after, LIMITS.catchUpEvents);
    return streams === null ? null : [inboxStream(uid), ...streams];
  }

  /** What an event made for others, and what it ticked for its actor. */
  private async made(event: StoredEvent): Promise<readonly Emission[]> {
    const made = await this.notifications.documentsMadeAt(event.position);
    const { actorUid } = event.meta;
    return [...made.map((each) => this.added(event, each)), ...(actorUid === null ? [] : [this.card(event, actorUid)])];
  }

  private added(event: StoredEvent, notification: NotificationDocument): Emission {
    return toReceiver(notification.receiverId, () => this.shown(event, 'NotificationAdded', notification));
  }

  /** The welcome card, if the event changed it. */
  private card(event: StoredEvent, uid: Uid): Emission {
    return toReceiver(uid, async () => {
      const card = await this.notifications.card(uid);
      return card === null || card.position !== event.position || card.madeAt === event.position ? [] : this.shown(event, 'NotificationEdited', card);
    });
  }

  private async shown(event: StoredEvent, type: 'NotificationAdded' | 'NotificationEdited', made: NotificationDocument): Promise<readonly NotificationPush[]> {
    const { view, counts } = await this.notifications.view(made);
    return view === null ? [] : [{ ...factsOf(event), type, view, counts }];
  }

  private read(event: StoredEvent, uid: Uid, notificationIds: readonly Id[]): Emission {
    return toReceiver(uid, async () => [{ ...factsOf(event), type: 'NotificationsRead', ids: notificationIds, counts: await this.notifications.counts(uid) }]);
  }

  private dismissed(event: StoredEvent, uid: Uid, set: NotificationSet): Emission {
    return toReceiver(uid, async () => {
      const ids = await this.notifications.dismissedBy(uid, set, event.position, LIMITS.catchUpEvents);
      const facts = { ...factsOf(event), type: 'NotificationsRead', counts: await this.notifications.counts(uid) } as const;
      return [ids === null ? { ...facts, ids: null, set } : { ...facts, ids }];
    });
  }
}
