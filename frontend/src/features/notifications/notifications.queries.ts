import type { MarkAsReadBody } from '@roughmix/contracts/notifications/notification.api.js';
import { NOTIFICATION_PATHS } from '@roughmix/contracts/notifications/notification.paths.js';
import { resourceKindOf } from '@roughmix/contracts/notifications/notification.types.js';
import {
  type DismissedAllAnswer,
  type MarkedAsReadAnswer,
  type NotificationCounts,
  type NotificationsAnswer,
  type NotificationView,
} from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { infiniteQueryOptions, type QueryClient, queryOptions, replaceEqualDeep, skipToken, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { useToast } from '../../shared/ui/toast-queue';
import { applyChange, type KnownCounts, type ListChange, newerCounts, type NotificationPages, withChange, withLaterChanges } from './notification-pages';

const PAGE = 30;

/** The unread counts; every answer and push about notifications has them. */
export const countsOf = (uid: Uid) => queryOptions<KnownCounts>({ queryKey: ['notification-counts', uid], queryFn: skipToken });

/** What changed the list lately: an answer that was under way may be older. */
const changesOf = (uid: Uid) => queryOptions<readonly ListChange[]>({ queryKey: ['notification-changes', uid], queryFn: skipToken });

export const takeCounts = (cache: QueryClient, uid: Uid, incoming: KnownCounts): void =>
  void cache.setQueryData(countsOf(uid).queryKey, (known) => newerCounts(known, incoming));

/** Changes the loaded list, and those that are being loaded. */
export function changeList(cache: QueryClient, uid: Uid, change: ListChange): void {
  cache.setQueryData(changesOf(uid).queryKey, (changes) => withChange(changes, change));
  cache.setQueryData(notificationsOf(uid, cache).queryKey, (pages) => applyChange(pages, change));
}

/** Loads the list again. What is known is not compared with it: the positions of another log mean something else. */
export function reloadList(cache: QueryClient, uid: Uid): void {
  cache.setQueryData(changesOf(uid).queryKey, []);
  cache.setQueryData(countsOf(uid).queryKey, (known) => known && { ...known, position: 0 });
  void cache.resetQueries({ queryKey: notificationsOf(uid, cache).queryKey });
}

/** Adds the welcome card to the first page. It is the oldest entry, so it would come with the last page. */
async function withWelcome(uid: Uid, first: NotificationsAnswer, signal: AbortSignal): Promise<NotificationsAnswer> {
  if (first.next === null || first.notifications.some(({ checklist }) => checklist !== null)) return first;
  const { notifications } = await api.get<NotificationsAnswer>(`${NOTIFICATION_PATHS.list(uid)}?checklist=true`, { signal });
  return { ...first, notifications: [...first.notifications, ...notifications] };
}

/** The user's notifications except those of groups, newest first. */
export const notificationsOf = (uid: Uid, cache: QueryClient) =>
  infiniteQueryOptions({
    queryKey: ['notifications', uid],
    queryFn: async ({ pageParam, signal }): Promise<NotificationsAnswer> => {
      const before = pageParam === '' ? '' : `&before=${encodeURIComponent(pageParam)}`;
      const answer = await api.get<NotificationsAnswer>(`${NOTIFICATION_PATHS.list(uid)}?set=other&limit=${PAGE}${before}`, { signal });
      takeCounts(cache, uid, answer);
      return pageParam === '' ? withWelcome(uid, answer, signal) : answer;
    },
    // Called with each new state of the pages, also when loading has ended.
    structuralSharing: (before, pages) =>
      replaceEqualDeep(before, withLaterChanges(pages as NotificationPages, cache.getQueryData(changesOf(uid).queryKey) ?? [])),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const unreadOf = (known: KnownCounts | undefined): number => known?.counts.other ?? 0;

/** Marks notifications as read, and dismisses all. Other tabs get it as a push. */
export function useReading(uid: Uid) {
  const cache = useQueryClient();
  const toaster = useToast();
  const { queryKey } = notificationsOf(uid, cache);
  const onError = (error: Error) => toaster.show({ kind: 'failed', message: errorMessage(error) });
  /** Without a position the command changed nothing: what did says so in a push. */
  const takeCountsAt = (position: Position | null, counts: NotificationCounts) => {
    if (position !== null) takeCounts(cache, uid, { counts, position });
  };
  const reading = useMutation({
    mutationFn: (read: readonly NotificationView[]) => {
      const body: MarkAsReadBody = Object.fromEntries(read.map(({ _id, type }): [Id, MarkAsReadBody[Id]] => [_id, resourceKindOf(type)]));
      return api.send<MarkedAsReadAnswer>('PUT', NOTIFICATION_PATHS.markAsRead, body);
    },
    onSuccess: ({ answer, position }) => {
      takeCountsAt(position, answer.counts);
      changeList(cache, uid, { type: 'read', ids: new Set(answer.read), position: position ?? 0 });
    },
    onError,
  });
  const dismissing = useMutation({
    mutationFn: () => api.send<DismissedAllAnswer>('PUT', NOTIFICATION_PATHS.dismissAll, { set: 'other' }),
    onSuccess: async ({ answer, position }) => {
      takeCountsAt(position, answer.counts);
      await cache.invalidateQueries({ queryKey });
    },
    onError,
  });
  return {
    markAsRead: (notification: NotificationView) => void (notification.isUnread && reading.mutate([notification])),
    dismissAll: () => dismissing.mutate(),
    isDismissing: dismissing.isPending,
  };
}
