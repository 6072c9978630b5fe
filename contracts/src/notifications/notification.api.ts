import { IsBoolean, IsIn } from 'class-validator';
import type { Id } from '../shared/ids.js';
import { CHECKLIST_ITEMS, type ChecklistItem, NOTIFICATION_SETS, type NotificationSet, type ResourceKind } from './notification.types.js';

/** PUT /api/notifications/markAsRead: the body itself is the map from notification ids to kinds, at most 100. */
export type MarkAsReadBody = Readonly<Record<Id, ResourceKind>>;

/** PUT /api/notifications/dismissAll */
export class DismissAllBody {
  @IsIn(NOTIFICATION_SETS)
  set: NotificationSet;
}

/** The body of `update-newUserNotif`. */
export class UpdateNewUserNotif {
  @IsIn(CHECKLIST_ITEMS)
  item: ChecklistItem;
  @IsBoolean()
  done: boolean;
}
