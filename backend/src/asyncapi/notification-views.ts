import { type Checklist, NOTIFICATION_TYPES } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationCounts, NotificationRefs, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { type Fields, flag, instant, objectOf, oneOf, optional, orNull, position, ref, text, whole } from './schema.js';

const id = optional(text);

const refs: Fields<NotificationRefs> = {
  projectId: id,
  versionId: id,
  regionId: id,
  todoId: id,
  commentId: id,
  collectionId: id,
  groupId: id,
  postId: id,
};

/** The items that welcome a new user. */
export const checklist = objectOf<Checklist>({ tutorial: flag, upload: flag, share: flag, feedback: flag });

/** A notification as its receiver sees it. */
export const notification: Fields<NotificationView> = {
  _id: text,
  type: oneOf(...NOTIFICATION_TYPES),
  isUnread: flag,
  receiverId: text,
  userId: orNull(text),
  user: orNull(ref('PersonView')),
  postOwnerId: orNull(text),
  parentResourceId: orNull(text),
  parentResourceName: orNull(text),
  resourceId: orNull(text),
  resourceName: orNull(text),
  message: text,
  dateAdded: instant,
  dueDate: orNull(instant),
  likes: orNull(whole),
  negs: orNull(whole),
  mediaType: orNull(oneOf('track', 'image', 'link', 'text')),
  checklist: orNull(checklist),
  count: orNull(whole),
  refs: objectOf<NotificationRefs>(refs),
  href: orNull(text),
  gone: flag,
  position,
};

/** How many of them are unread. */
export const notificationCounts: Fields<NotificationCounts> = {
  other: whole,
  groups: whole,
  messages: whole,
  byGroup: { type: 'object', additionalProperties: whole },
};
