import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { InboxStreams } from './inbox.streams.js';
import { NotificationSubjectsQueries } from './notification-subjects.queries.js';
import { NotificationViewsQueries } from './notification-views.queries.js';
import { NotificationsController } from './notifications.controller.js';
import { notificationHandlers } from './notifications.handlers.js';
import { NotificationsPushes } from './notifications.pushes.js';
import { NotificationsQueries } from './notifications.queries.js';
import { QuotedPostsQueries } from './quoted-posts.queries.js';
import { StartNotifications } from './start-notifications.js';
import { UpdateChecklist } from './update-checklist.js';

@Module({
  controllers: [NotificationsController],
  providers: [InboxStreams, NotificationsPushes, StartNotifications, UpdateChecklist, ...notificationHandlers],
  exports: [NotificationsPushes, UpdateChecklist],
})
export class NotificationsModule {}

export const parts: SliceParts = {
  module: NotificationsModule,
  doors: [QuotedPostsQueries, NotificationSubjectsQueries, NotificationViewsQueries, NotificationsQueries],
  pushes: [NotificationsPushes],
  userStreams: [NotificationsPushes],
  messages: [UpdateChecklist],
  chores: [StartNotifications],
};
