import type { Id, Instant, Position, Uid } from '../shared/ids.js';
import type { PersonView } from '../users/user.view.js';
import type { Checklist, NotificationType } from './notification.types.js';

/** The ids that are needed to open a notification's subject, as far as they apply. `commentId` of a reply is its own id. */
export interface NotificationRefs {
  readonly projectId?: Id;
  /** Only of Version… and CompleteShared. */
  readonly versionId?: Id;
  readonly regionId?: Id;
  readonly todoId?: Id;
  readonly commentId?: Id;
  readonly collectionId?: Id;
  readonly groupId?: Id;
  readonly postId?: Id;
}

/** A notification as its receiver sees it. Fields that do not apply are null. */
export interface NotificationView {
  readonly _id: Id;
  readonly type: NotificationType;
  readonly isUnread: boolean;
  readonly receiverId: Uid;
  /** The actor; null for the system, and where the actor stays secret. */
  readonly userId: Uid | null;
  readonly user: PersonView | null;
  /** The author of the post that is the resource, the uploader of a version, or who shared it with a group. */
  readonly postOwnerId: Uid | null;
  /** A project or group, with its name at that time. */
  readonly parentResourceId: Id | null;
  readonly parentResourceName: string | null;
  readonly resourceId: Id | null;
  readonly resourceName: string | null;
  /** The sentence, as plain text. People's names and quoted texts are current. */
  readonly message: string;
  readonly dateAdded: Instant;
  /** Of a TodoReminder's todo. */
  readonly dueDate: Instant | null;
  /** How many people like or dislike it, for the types about that. */
  readonly likes: number | null;
  readonly negs: number | null;
  readonly mediaType: 'track' | 'image' | 'link' | 'text' | null;
  /** Only of UsersNew. */
  readonly checklist: Checklist | null;
  /** How many posts a GroupCommentsBulk represents. */
  readonly count: number | null;
  readonly refs: NotificationRefs;
  /** The path of its subject, or of the project or group around it if that is all there is; null if there is nothing to open. */
  readonly href: string | null;
  /** The subject was removed, or the receiver can no longer see it. */
  readonly gone: boolean;
  /** Of the last event that changed the notification. */
  readonly position: Position;
}

/** How many notifications are unread. */
export interface NotificationCounts {
  /** All that are not of groups, including UsersNew. */
  readonly other: number;
  readonly groups: number;
  /** Unread direct messages. */
  readonly messages: number;
  /** Only groups with unread ones. */
  readonly byGroup: Readonly<Record<Id, number>>;
}

export const NO_NOTIFICATIONS: NotificationCounts = { other: 0, groups: 0, messages: 0, byGroup: {} };

/** GET /api/notifications/{uid}: newest first. */
export interface NotificationsAnswer {
  readonly notifications: readonly NotificationView[];
  readonly counts: NotificationCounts;
  /** What to send as `before` for the next page; null on the last one. */
  readonly next: string | null;
  /** Everything up to here is in the answer; a push from later is newer than it. */
  readonly position: Position;
}

/** PUT /api/notifications/markAsRead */
export interface MarkedAsReadAnswer {
  /** The caller's own of the requested ids, in that order, whether they were read before or not. */
  readonly read: readonly Id[];
  readonly counts: NotificationCounts;
}

/** PUT /api/notifications/dismissAll */
export interface DismissedAllAnswer {
  readonly counts: NotificationCounts;
}

/** The ack of `update-newUserNotif`. */
export interface ChecklistAnswer {
  readonly checklist: Checklist;
}
