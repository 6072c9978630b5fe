import type { MarkAsReadBody } from '@roughmix/contracts/notifications/notification.api.js';
import { NOTIFICATION_PATHS } from '@roughmix/contracts/notifications/notification.paths.js';
import { resourceKindOf } from '@roughmix/contracts/notifications/notification.types.js';
import {
  type DismissedAllAnswer,
  type MarkedAsReadAnswer,
  NO_NOTIFICATIONS,
  type NotificationCounts,
  type NotificationsAnswer,
  type NotificationView,
} from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { infiniteQueryOptions, type QueryClient, queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { useToast } from '../../shared/ui/toast-queue';
import { readIds } from './notification-pages';

const PAGE = 30;

/** The unread counts; every answer and push about notifications has them. */
export const countsOf = (uid: Uid) => queryOptions<NotificationCounts>({ queryKey: ['notification-counts', uid], queryFn: skipToken });

/** The user's notifications except those of groups, newest first. */
export const notificationsOf = (uid: Uid, cache: QueryClient) =>
  infiniteQueryOptions({
    queryKey: ['notifications', uid],
    queryFn: async ({ pageParam, signal }): Promise<NotificationsAnswer> => {
      const before = pageParam === '' ? '' : `&before=${encodeURIComponent(pageParam)}`;
      const answer = await api.get<NotificationsAnswer>(`${NOTIFICATION_PATHS.list(uid)}?set=other&limit=${PAGE}${before}`, { signal });
      cache.setQueryData(countsOf(uid).queryKey, answer.counts);
      return answer;
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const unreadOf = (counts: NotificationCounts = NO_NOTIFICATIONS): number => counts.other;

/** Marks notifications as read, and dismisses all. Other tabs get it as a push. */
export function useReading(uid: Uid) {
  const cache = useQueryClient();
  const toaster = useToast();
  const { queryKey } = notificationsOf(uid, cache);
  const onError = (error: Error) => toaster.show({ kind: 'failed', message: errorMessage(error) });
  const take = (counts: NotificationCounts) => cache.setQueryData(countsOf(uid).queryKey, counts);
  const reading = useMutation({
    mutationFn: (read: readonly NotificationView[]) => {
      const body: MarkAsReadBody = Object.fromEntries(read.map(({ _id, type }): [Id, MarkAsReadBody[Id]] => [_id, resourceKindOf(type)]));
      return api.send<MarkedAsReadAnswer>('PUT', NOTIFICATION_PATHS.markAsRead, body);
    },
    onSuccess: ({ answer }) => {
      take(answer.counts);
      cache.setQueryData(queryKey, (pages) => readIds(pages, new Set(answer.read)));
    },
    onError,
  });
  const dismissing = useMutation({
    mutationFn: () => api.send<DismissedAllAnswer>('PUT', NOTIFICATION_PATHS.dismissAll, { set: 'other' }),
    onSuccess: async ({ answer }) => {
      take(answer.counts);
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
