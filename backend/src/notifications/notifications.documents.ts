import type { Checklist, NotificationSet, NotificationType } from '@roughmix/contracts/notifications/notification.types.js';
import { NOTIFICATION_SETS, setOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';

export const NOTIFICATIONS = 'notifications';

/** What a notification is about, named as it was at that time. */
export interface NotificationSubject {
  readonly kind: 'user' | 'project' | 'version' | 'region' | 'todo' | 'comment' | 'collection';
  readonly id: Id;
  /** Null for posts, whose current text is shown. */
  readonly name: string | null;
  /** The author of a post or the uploader of a version. */
  readonly ownerUid: Uid | null;
  /** Of a region: what is shown of it once it is gone. */
  readonly category: RegionCategory | null;
}

/** A notification, as stored. Sentences are made when it is read, with the current names and texts. */
export interface NotificationDocument {
  readonly notificationId: Id;
  readonly type: NotificationType;
  readonly receiverId: Uid;
  readonly actorUid: Uid | null;
  readonly dateAdded: Instant;
  /** The position of the event that it follows from, and the event's stream. */
  readonly madeAt: Position;
  readonly stream: string;
  /** False once it was read by itself. {@link isUnread} also counts dismissals of the whole set. */
  readonly isMarkedUnread: boolean;
  readonly position: Position;
  readonly projectId: Id | null;
  readonly projectName: string | null;
  readonly subject: NotificationSubject;
  /** What only some sentences need: an invitation's message, an old name, a role, a reminder's label, a version's number. */
  readonly detail: string | null;
  /** The version under which a todo was completed. */
  readonly versionId: Id | null;
  readonly dueDate: Instant | null;
  readonly checklist: Checklist | null;
  /** Of UsersNew: the upload item was ticked automatically, which happens once. */
  readonly hasUploaded: boolean;
  /** The lists that contain it. */
  readonly lists: readonly string[];
}

/** The names of the lists of a user's notifications: all or one set of them, of any state or unread ones (as marked). */
export const listOf = (uid: Uid, set: NotificationSet | null, unread: boolean): string =>
  [uid, ...(set === null ? [] : [set]), ...(unread ? ['unread'] : [])].join('/');

/** A notification whose lists follow from the other fields. */
export function listed(notification: Omit<NotificationDocument, 'lists'>): NotificationDocument {
  const { receiverId, type, isMarkedUnread } = notification;
  const states = isMarkedUnread ? [false, true] : [false];
  const sets = states.flatMap((unread) => (unread ? [setOf(type)] : [null, setOf(type)]).map((set) => listOf(receiverId, set, unread)));
  return { ...notification, lists: sets };
}

/** Each event makes at most one notification for a receiver, so that a rebuild and a repeat give the same ids. */
export const notificationId = (eventId: string, receiverId: Uid): Id => sha256(`${eventId}/${receiverId}`).slice(0, 32);
/** The id of a user's welcome card. */
export const cardId = (uid: Uid): Id => notificationId('UsersNew', uid);

export const INBOXES = 'inboxes';

/** When a user dismissed a whole set. */
export interface Dismissal {
  readonly position: Position;
  readonly at: Instant;
}

/** Counts of a user's notifications, and what they dismissed. */
export interface InboxDocument {
  readonly unread: Readonly<Record<NotificationSet, number>>;
  /** UsersNew, which is counted in `unread` and which dismissals skip. */
  readonly isCardUnread: boolean;
  /** The newest ones, oldest first. */
  readonly dismissals: Readonly<Record<NotificationSet, readonly Dismissal[]>>;
}

/** How many dismissals of a set an inbox remembers. */
export const MAX_DISMISSALS = 50;

export const EMPTY_INBOX: InboxDocument = { unread: { groups: 0, other: 0 }, isCardUnread: false, dismissals: { groups: [], other: [] } };

type Marked = Pick<NotificationDocument, 'type' | 'madeAt' | 'isMarkedUnread'>;

/** Whether a notification is unread, with the dismissals of its receiver's inbox. */
export const isUnread = ({ type, madeAt, isMarkedUnread }: Marked, { dismissals }: InboxDocument): boolean =>
  isMarkedUnread && (type === 'UsersNew' || madeAt > (dismissals[setOf(type)].at(-1)?.position ?? 0));

/** The position of the last event that changed a notification. */
export function lastChangeOf(notification: Marked & Pick<NotificationDocument, 'position'>, { dismissals }: InboxDocument): Position {
  const { type, madeAt, isMarkedUnread, position } = notification;
  if (!isMarkedUnread || type === 'UsersNew') return position;
  return Math.max(position, dismissals[setOf(type)].find((dismissal) => dismissal.position > madeAt)?.position ?? 0);
}

/** How many of the notifications of each set are unread. */
export const unreadIn = (notifications: readonly Marked[], inbox: InboxDocument): InboxDocument['unread'] =>
  Object.fromEntries(
    NOTIFICATION_SETS.map((set) => [set, notifications.filter((each) => setOf(each.type) === set && isUnread(each, inbox)).length]),
  ) as InboxDocument['unread'];

export const NOTIFICATIONS_START = 'notifications-start';

/** The only document of its collection: the feature has started. News from before it counts as read. */
export const START_ID = 'start';
