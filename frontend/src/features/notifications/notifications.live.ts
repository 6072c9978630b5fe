import type { NotificationPush } from '@roughmix/contracts/live.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { ownChannel } from '../../shared/live/channels';
import type { LiveHandlers, LiveSubscriber } from '../../shared/live/handlers';
import { type NotificationPages, readIds, readSet, takeNotification, withoutIds } from './notification-pages';
import { countsOf, notificationsOf } from './notifications.queries';

type Change = (pages: NotificationPages | undefined) => NotificationPages | undefined;

/**
 * Keeps the list and the counts current in all tabs, also for what this tab did: the answers to other commands say nothing about notifications.
 * @param onNew called for a notification that another person or the system caused
 */
export function notificationsLive(uid: Uid, onNew: (view: NotificationView) => void): LiveSubscriber {
  const apply = (cache: QueryClient, { counts }: NotificationPush, change: Change): void => {
    cache.setQueryData(countsOf(uid).queryKey, counts);
    cache.setQueryData(notificationsOf(uid, cache).queryKey, change);
  };
  const handlers = {
    NotificationAdded: (cache, push) => apply(cache, push, (pages) => takeNotification(pages, push.view)),
    NotificationEdited: (cache, push) => apply(cache, push, (pages) => takeNotification(pages, push.view)),
    NotificationsRead: (cache, push) =>
      apply(cache, push, (pages) => (push.ids === null ? readSet(pages, push.set, push.position) : readIds(pages, new Set(push.ids)))),
    NotificationsRemoved: (cache, push) => apply(cache, push, (pages) => withoutIds(pages, new Set(push.ids))),
  } satisfies LiveHandlers;
  return {
    channels: [ownChannel('notification')],
    handlers: {
      ...handlers,
      NotificationAdded: (cache, push) => {
        handlers.NotificationAdded(cache, push);
        onNew(push.view);
      },
    },
    ownHandlers: handlers,
    onMissed: (cache) => void cache.resetQueries({ queryKey: notificationsOf(uid, cache).queryKey }),
  };
}
