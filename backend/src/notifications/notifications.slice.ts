import { INBOX_EVENT_CLASSES } from '@roughmix/contracts/notifications/notification.events.js';
import type { Slice } from '../platform/slice.js';
import { notificationsProjector } from './notifications.projector.js';

export const notificationsSlice: Slice = {
  name: 'notifications',
  stream: 'inbox-<uid>',
  eventClasses: INBOX_EVENT_CLASSES,
  projectors: [notificationsProjector],
  load: () => import('./notifications.module.js'),
};
