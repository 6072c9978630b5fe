import type { EventClasses, EventOf } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';
import type { ChecklistItem, NotificationSet } from './notification.types.js';

/** The stream of what a user did with their notifications, `inbox-<uid>`. The notifications themselves follow from the events that they are about. */
export interface InboxEvents {
  NotificationsRead: { readonly uid: Uid; readonly notificationIds: readonly Id[] };
  /** All of a set that were made by events before this one, except UsersNew. */
  NotificationsDismissed: { readonly uid: Uid; readonly set: NotificationSet };
  /** By the user. What a user does ticks items without an event of this kind. */
  ChecklistItemTicked: { readonly uid: Uid; readonly item: ChecklistItem };
  ChecklistItemUnticked: { readonly uid: Uid; readonly item: ChecklistItem };
}

export const INBOX_EVENT_CLASSES: EventClasses<InboxEvents> = {
  NotificationsRead: { uid: 'plain', notificationIds: 'plain' },
  NotificationsDismissed: { uid: 'plain', set: 'plain' },
  ChecklistItemTicked: { uid: 'plain', item: 'plain' },
  ChecklistItemUnticked: { uid: 'plain', item: 'plain' },
};

export type InboxEvent = EventOf<InboxEvents>;

/** The stream of a user's inbox. */
export const inboxStream = (uid: Uid): string => `inbox-${uid}`;
