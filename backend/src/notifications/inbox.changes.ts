import type { ChecklistItem, NotificationSet } from '@roughmix/contracts/notifications/notification.types.js';
import { isTutorialFile } from '@roughmix/contracts/tutorial/tutorial-files.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Body, type DocumentChange, update } from '../kernel/projector.js';
import {
  cardId,
  EMPTY_INBOX,
  type InboxDocument,
  INBOXES,
  MAX_DISMISSALS,
  type NotificationDocument,
  NOTIFICATIONS,
  unreadIn,
} from './notifications.documents.js';

const inboxIn = (body: Body | null): InboxDocument => (body ?? EMPTY_INBOX) as InboxDocument;
const asBody = (inbox: InboxDocument): Body => ({ ...inbox });

/** Counts a new unread notification. */
export const countNew =
  (set: NotificationSet, isCard: boolean): DocumentChange['change'] =>
  (old) => {
    const inbox = inboxIn(old);
    return asBody({ ...inbox, isCardUnread: isCard || inbox.isCardUnread, unread: { ...inbox.unread, [set]: inbox.unread[set] + 1 } });
  };

/** Notifications of one receiver are no longer there, or no longer unread. */
export const countGone = (uid: Uid, gone: readonly NotificationDocument[]): DocumentChange => ({
  collection: INBOXES,
  id: uid,
  change: (old) => {
    const inbox = inboxIn(old);
    const { other, groups } = unreadIn(gone, inbox);
    const isCardUnread = inbox.isCardUnread && !gone.some(({ type }) => type === 'UsersNew');
    return asBody({ ...inbox, isCardUnread, unread: { other: inbox.unread.other - other, groups: inbox.unread.groups - groups } });
  },
});

/** A whole set is dismissed, except UsersNew. The notifications themselves stay as they are: there may be thousands. */
export const dismissAll = (uid: Uid, set: NotificationSet, { meta, position }: StoredEvent): DocumentChange => ({
  collection: INBOXES,
  id: uid,
  change: (old) => {
    const inbox = inboxIn(old);
    const dismissals = [...inbox.dismissals[set], { position, at: meta.at }].slice(-MAX_DISMISSALS);
    const left = set === 'other' && inbox.isCardUnread ? 1 : 0;
    return asBody({ ...inbox, unread: { ...inbox.unread, [set]: left }, dismissals: { ...inbox.dismissals, [set]: dismissals } });
  },
});

/** Ticks or unticks an item of a user's card. */
export const setItem = (uid: Uid, position: Position, item: ChecklistItem, done: boolean): DocumentChange =>
  changeCard(uid, position, ({ checklist }) => (checklist === null ? {} : { checklist: { ...checklist, [item]: done } }));

/** Changes a card; its position only if the checklist does. */
function changeCard(uid: Uid, position: Position, change: (card: NotificationDocument) => Partial<NotificationDocument>): DocumentChange {
  return update<NotificationDocument>(NOTIFICATIONS, cardId(uid), (card) => {
    const changed = { ...card, ...change(card) };
    return JSON.stringify(changed.checklist) === JSON.stringify(card.checklist) ? changed : { ...changed, position };
  });
}

const uploaded = ({ checklist, hasUploaded }: NotificationDocument): Partial<NotificationDocument> =>
  checklist === null || hasUploaded ? {} : { checklist: { ...checklist, upload: true }, hasUploaded: true };

/** What an event ticks on the card of its actor: an invitation, or their first version outside the tutorial. */
export function tickOf(event: StoredEvent): readonly DocumentChange[] {
  const { type, meta, data, position } = event;
  if (meta.actorUid === null) return [];
  if (type === 'ProjectUsersInvited') return [setItem(meta.actorUid, position, 'share', true)];
  if (type !== 'VersionAdded' || isTutorialFile((data as VersionEvents['VersionAdded']).file)) return [];
  return [changeCard(meta.actorUid, position, uploaded)];
}
