import type { UserSettings } from '../users/user.view.js';

/** The switches of `settings.pushNotifs` that turn pushes of some types on and off. */
export type PushKind = Exclude<keyof UserSettings['pushNotifs'], 'enabled' | 'directMessages'>;

/** What `markAsRead` calls the resources that notifications are about. */
export const RESOURCE_KINDS = ['Users', 'Projects', 'Groups', 'Media', 'Todos', 'Comments'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Every notification type: the resource that it is about, and the setting that pushes it. Entries about what the receiver did are never pushed. */
const TYPES = {
  UsersNew: ['Users', null],
  CollectionAdded: ['Projects', null],
  CollectionEdited: ['Projects', null],
  CollectionRemoved: ['Projects', null],
  ProjectAdded: ['Projects', null],
  ProjectName: ['Projects', 'activity'],
  ProjectDescription: ['Projects', 'activity'],
  ProjectUsersInvited: ['Projects', 'invitations'],
  ProjectUsersRemoved: ['Projects', 'invitations'],
  ProjectPermissions: ['Projects', 'invitations'],
  ProjectRemoved: ['Projects', 'activity'],
  ProjectCompleted: ['Projects', 'activity'],
  VersionAdded: ['Media', null],
  VersionAddedNotifyUsers: ['Media', 'activity'],
  VersionAddedNotifyOwner: ['Media', 'activity'],
  VersionRemoved: ['Media', null],
  VersionRemovedNotifyUsers: ['Media', 'activity'],
  VersionRemovedNotifyOwner: ['Media', 'activity'],
  RegionEdited: ['Media', 'activity'],
  RegionRemoved: ['Media', 'activity'],
  TodoAdded: ['Todos', 'activity'],
  TodoReply: ['Todos', 'replies'],
  TodoTaggedUser: ['Todos', 'mentions'],
  TodoReminder: ['Todos', 'todoReminders'],
  TodoCompleted: ['Todos', 'activity'],
  CompleteShared: ['Todos', 'activity'],
  RemovalShared: ['Media', 'activity'],
  GroupCommentsBulk: ['Groups', 'activity'],
  GroupCommentAdded: ['Groups', 'activity'],
  GroupCommentRemoved: ['Groups', 'activity'],
  GroupCommentLiked: ['Groups', 'activity'],
  GroupCommentDisliked: ['Groups', 'activity'],
  GroupCommentTaggedUser: ['Groups', 'mentions'],
  GroupMediaAdded: ['Groups', 'activity'],
  GroupMediaRemoved: ['Groups', 'activity'],
  GroupMediaLiked: ['Groups', 'activity'],
  CommentAdded: ['Comments', 'activity'],
  CommentReply: ['Comments', 'replies'],
  CommentTaggedUser: ['Comments', 'mentions'],
  ReplyReply: ['Comments', 'replies'],
} as const satisfies Readonly<Record<string, readonly [kind: ResourceKind, push: PushKind | null]>>;

export type NotificationType = keyof typeof TYPES;
export const NOTIFICATION_TYPES = Object.keys(TYPES) as readonly NotificationType[];

/** Notifications of groups are listed, counted and dismissed apart from all others. */
export type NotificationSet = 'groups' | 'other';
export const NOTIFICATION_SETS: readonly NotificationSet[] = ['groups', 'other'];

export const setOf = (type: NotificationType): NotificationSet => (type.startsWith('Group') ? 'groups' : 'other');

/** The kind of resource that `markAsRead` takes for a type. */
export const resourceKindOf = (type: NotificationType): ResourceKind => TYPES[type][0];

/** The setting that decides whether a notification is pushed; null: never. */
export const kindOfPush = (type: NotificationType): PushKind | null => TYPES[type][1];

/** Whether a user with these settings gets pushes of a type. */
export function isPushed(type: NotificationType, settings: UserSettings['pushNotifs']): boolean {
  const kind = kindOfPush(type);
  return kind !== null && settings.enabled && settings[kind];
}

/** The items of the checklist that welcomes a new user. */
export const CHECKLIST_ITEMS = ['tutorial', 'upload', 'share', 'feedback'] as const;
export type ChecklistItem = (typeof CHECKLIST_ITEMS)[number];
export type Checklist = Readonly<Record<ChecklistItem, boolean>>;

export const NOTHING_TICKED: Checklist = { tutorial: false, upload: false, share: false, feedback: false };
