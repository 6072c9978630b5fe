import { setOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';

/** Comments and todos of a project. Reminders are shown wherever their user is. */
const TALK = /^(?:Comment|Todo|ReplyReply|CompleteShared)/;

/**
 * Whether a new notification is shown over the page. What the user did is not, nor the welcome card, whose place is the list; groups have their own rules,
 * which come with them.
 * @param viewed the project whose page is open
 */
export function popsIn({ type, isUnread, userId, receiverId, refs }: NotificationView, viewed: Id | null): boolean {
  if (!isUnread || userId === receiverId || type === 'UsersNew' || setOf(type) === 'groups') return false;
  const isViewed = viewed !== null && refs.projectId === viewed;
  if (type === 'ProjectPermissions') return isViewed;
  return !(isViewed && TALK.test(type) && type !== 'TodoReminder');
}
