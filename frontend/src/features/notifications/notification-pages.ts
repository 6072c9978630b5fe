import { type NotificationSet, setOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationCounts, NotificationsAnswer, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
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

/** The newest unread counts, with the position of the answer or push that brought them. */
export interface KnownCounts {
  readonly counts: NotificationCounts;
  readonly position: Position;
}

/** The newer of both counts: answers and pushes overtake each other. */
export const newerCounts = (known: KnownCounts | undefined, incoming: KnownCounts): KnownCounts =>
  known !== undefined && known.position > incoming.position ? known : incoming;

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

/** A change of the list, by a push or a command's answer. */
export type ListChange = { readonly position: Position } & (
  | { readonly type: 'taken'; readonly view: NotificationView }
  | { readonly type: 'read'; readonly ids: ReadonlySet<Id> }
  | { readonly type: 'readSet'; readonly set: NotificationSet }
  | { readonly type: 'removed'; readonly ids: ReadonlySet<Id> }
);

export function applyChange(pages: NotificationPages | undefined, change: ListChange): NotificationPages | undefined {
  if (change.type === 'taken') return takeNotification(pages, change.view);
  if (change.type === 'readSet') return readSet(pages, change.set, change.position);
  return change.type === 'read' ? readIds(pages, change.ids) : withoutIds(pages, change.ids);
}

/** More than arrive while the pages are loaded. */
const MOST_CHANGES = 200;

export const withChange = (changes: readonly ListChange[] | undefined, change: ListChange): readonly ListChange[] =>
  [...(changes ?? []), change].slice(-MOST_CHANGES);

/** Applies again, in their order, the changes that are newer than the answers that the pages come from. */
export function withLaterChanges(pages: NotificationPages, changes: readonly ListChange[]): NotificationPages {
  const [first] = pages.pages;
  if (first === undefined) return pages;
  const oldest = Math.min(...pages.pages.map(({ position }) => position));
  // What is new since a later page was loaded is in the first one, if that is newer.
  const isMissing = ({ type, position }: ListChange) => position > (type === 'taken' ? first.position : oldest);
  return changes.filter(isMissing).reduce<NotificationPages>((now, change) => applyChange(now, change) ?? now, pages);
}
