import { type NotificationSet, setOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationsAnswer, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { InfiniteData } from '@tanstack/react-query';

/** The loaded pages of the list, newest first. */
export type NotificationPages = InfiniteData<NotificationsAnswer>;

const EMPTY: readonly NotificationView[] = [];

export const notificationsIn = (pages: NotificationPages | undefined): readonly NotificationView[] =>
  pages === undefined ? EMPTY : pages.pages.flatMap(({ notifications }) => notifications);

/** Changes the list of each page; undefined before the first is loaded. */
const changed = (
  pages: NotificationPages | undefined,
  change: (list: readonly NotificationView[], page: number) => readonly NotificationView[],
): NotificationPages | undefined => pages && { ...pages, pages: pages.pages.map((page, at) => ({ ...page, notifications: change(page.notifications, at) })) };

/** Adds a notification at the top, or replaces an older state of it. */
export function takeNotification(pages: NotificationPages | undefined, view: NotificationView): NotificationPages | undefined {
  const isKnown = notificationsIn(pages).some(({ _id }) => _id === view._id);
  if (!isKnown) return changed(pages, (list, page) => (page === 0 ? [view, ...list] : list));
  return changed(pages, (list) => list.map((known) => (known._id === view._id && known.position <= view.position ? view : known)));
}

const asRead = (isRead: (view: NotificationView) => boolean) => (list: readonly NotificationView[]) =>
  list.map((view) => (view.isUnread && isRead(view) ? { ...view, isUnread: false } : view));

export const readIds = (pages: NotificationPages | undefined, ids: ReadonlySet<Id>): NotificationPages | undefined =>
  changed(
    pages,
    asRead(({ _id }) => ids.has(_id)),
  );

/** All of a set were dismissed, up to a position. */
export const readSet = (pages: NotificationPages | undefined, set: NotificationSet, upTo: Position): NotificationPages | undefined =>
  changed(
    pages,
    asRead(({ type, position }) => type !== 'UsersNew' && setOf(type) === set && position <= upTo),
  );

export const withoutIds = (pages: NotificationPages | undefined, ids: ReadonlySet<Id>): NotificationPages | undefined =>
  changed(pages, (list) => list.filter(({ _id }) => !ids.has(_id)));
