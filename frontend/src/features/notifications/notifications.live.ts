import type { NotificationPush } from '@roughmix/contracts/live.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { ownChannel } from '../../shared/live/channels';
import type { LiveHandlers, LiveSubscriber } from '../../shared/live/handlers';
import type { ListChange } from './notification-pages';
import { changeList, reloadList, takeCounts } from './notifications.queries';

function changeOf(push: NotificationPush): ListChange {
  const { position } = push;
  if (push.view !== undefined) return { type: 'taken', view: push.view, position };
  if (push.ids === null) return { type: 'readSet', set: push.set, position };
  return { type: push.type === 'NotificationsRead' ? 'read' : 'removed', ids: new Set(push.ids), position };
}

/**
 * Keeps the list and the counts current in all tabs, also for what this tab did: the answers to other commands say nothing about notifications.
 * @param onNew called for a notification that another person or the system caused
 */
export function notificationsLive(uid: Uid, onNew: (view: NotificationView) => void): LiveSubscriber {
  const apply = (cache: QueryClient, push: NotificationPush): void => {
    takeCounts(cache, uid, push);
    changeList(cache, uid, changeOf(push));
  };
  const handlers = { NotificationAdded: apply, NotificationEdited: apply, NotificationsRead: apply, NotificationsRemoved: apply } satisfies LiveHandlers;
  return {
    channels: [ownChannel('notification')],
    handlers: {
      ...handlers,
      NotificationAdded: (cache, push) => {
        apply(cache, push);
        onNew(push.view);
      },
    },
    ownHandlers: handlers,
    onMissed: (cache) => reloadList(cache, uid),
  };
}
