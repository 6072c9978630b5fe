import type { InboxEvent } from '@roughmix/contracts/notifications/notification.events.js';
import type { ChecklistItem, NotificationSet } from '@roughmix/contracts/notifications/notification.types.js';
import { distinctIds, type Id, type Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandOf, Decider, Rules } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

/** What is unread follows from other streams, so the read model has it, and handlers ask that. */
type InboxState = Readonly<Record<string, never>>;

interface InboxCommands {
  /** Those that are unread. */
  MarkRead: { readonly notificationIds: readonly Id[] };
  /** `isNeeded`: something of the set is unread. */
  DismissAll: { readonly set: NotificationSet; readonly isNeeded: boolean };
  /** `isNeeded`: the item is in the other state. */
  SetChecklistItem: { readonly item: ChecklistItem; readonly done: boolean; readonly isNeeded: boolean };
}
export type InboxCommand = CommandOf<InboxCommands>;

const rules: Rules<InboxCommands, InboxState, Uid, InboxEvent> = {
  MarkRead: ({ notificationIds }, _state, uid) =>
    notificationIds.length === 0 ? [] : [{ type: 'NotificationsRead', data: { uid, notificationIds: distinctIds(notificationIds) } }],
  DismissAll: ({ set, isNeeded }, _state, uid) => (isNeeded ? [{ type: 'NotificationsDismissed', data: { uid, set } }] : []),
  SetChecklistItem: ({ item, done, isNeeded }, _state, uid) =>
    isNeeded ? [{ type: done ? 'ChecklistItemTicked' : 'ChecklistItemUnticked', data: { uid, item } }] : [],
};

/** A user's inbox, `inbox-<uid>`. Only its owner sends commands to it. */
export const inboxDecider: Decider<InboxState, InboxCommand, InboxEvent> = {
  name: 'inbox',
  initial: () => ({}),
  evolve: (state) => state,
  decide(command, state, { uid }) {
    const rule = rules[command.type] as (data: InboxCommand['data'], state: InboxState, uid: Uid) => readonly InboxEvent[] | Refusal;
    return uid === null ? refuse('actor.mismatch') : rule(command.data, state, uid);
  },
  sees: () => null,
};
