import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';

/** A comment by someone else, in the project Song. */
export const notificationOf = (user: PersonView | null, changes: Partial<NotificationView> = {}): NotificationView => ({
  _id: 'n1',
  type: 'CommentAdded',
  isUnread: true,
  receiverId: 'ana',
  userId: user?.uid ?? null,
  user,
  postOwnerId: user?.uid ?? null,
  parentResourceId: 'song',
  parentResourceName: 'Song',
  resourceId: 'c1',
  resourceName: 'Louder',
  message: `${user?.firstName ?? ''} commented on Song: Louder`,
  dateAdded: Date.now(),
  dueDate: null,
  likes: null,
  negs: null,
  mediaType: null,
  checklist: null,
  count: null,
  refs: { projectId: 'song', commentId: 'c1' },
  href: '/projects/song?comment=c1',
  gone: false,
  position: 10,
  ...changes,
});
