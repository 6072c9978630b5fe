import type { CollectionPush, CommentPush, MediaPush, NotificationPush, ProjectPush, RegionPush, TodoPush, UserPush } from '@roughmix/contracts/live.js';

/** A push's content beside its type: the current resource, ids, either, or ids unless there are too many. */
export type PushContent = 'view' | 'ids' | 'either' | 'idsOrSet';
type Types<Push extends { readonly type: string }> = Readonly<Record<Push['type'], PushContent>>;

export const PROJECTS: Types<ProjectPush> = {
  ProjectName: 'view',
  ProjectDescription: 'view',
  ProjectNotes: 'view',
  ProjectCompleted: 'view',
  ProjectVisibility: 'either',
  ProjectRemoved: 'ids',
  ProjectUsersInvited: 'view',
  ProjectPermissions: 'view',
  ProjectUsersRemoved: 'either',
};
export const MEDIA: Types<MediaPush> = {
  VersionAdded: 'view',
  VersionAnalyzed: 'view',
  PlaybackCopied: 'view',
  VersionRejected: 'view',
  VersionReplaced: 'view',
  VersionRemoved: 'ids',
};
export const REGIONS: Types<RegionPush> = { RegionAdded: 'view', RegionEdited: 'view', RegionRemoved: 'ids' };
export const COMMENTS: Types<CommentPush> = {
  CommentAdded: 'view',
  CommentReplyAdded: 'view',
  CommentEdited: 'view',
  CommentRated: 'view',
  CommentRemoved: 'ids',
  CommentReplyRemoved: 'ids',
};
export const TODOS: Types<TodoPush> = {
  TodoAdded: 'view',
  TodoReplyAdded: 'view',
  TodoEdited: 'view',
  TodoCompleted: 'view',
  TodoRemoved: 'ids',
  TodoReplyRemoved: 'ids',
};
export const COLLECTIONS: Types<CollectionPush> = { CollectionAdded: 'view', CollectionEdited: 'view', CollectionRemoved: 'ids' };
export const USERS: Types<UserPush> = { UserEdited: 'view', UserErased: 'ids' };
export const NOTIFICATIONS: Types<NotificationPush> = {
  NotificationAdded: 'view',
  NotificationEdited: 'view',
  NotificationsRead: 'idsOrSet',
  NotificationsRemoved: 'ids',
};
