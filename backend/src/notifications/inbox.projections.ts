import type { InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { InboxEvents } from '@roughmix/contracts/notifications/notification.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import { type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { bodiesOf, type DocumentChange, type Projections, put, remove, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { countGone, dismissAll, setItem } from './inbox.changes.js';
import { POST_FACTS, PROJECT_FACTS, type ProjectFacts, REGION_FACTS, VERSION_FACTS } from './notification-facts.js';
import { INBOXES, listed, listOf, type NotificationDocument, NOTIFICATIONS, NOTIFICATIONS_START, START_ID } from './notifications.documents.js';

/** In place of the name of a purged project. */
const REMOVED_PROJECT = '[removed project]';

/** Collections whose documents name the project that they are about. */
const OF_PROJECT = [NOTIFICATIONS, POST_FACTS, VERSION_FACTS, REGION_FACTS] as const;

function purged(found: readonly NotificationDocument[]): readonly DocumentChange[] {
  const gone = found.filter(({ type }) => type !== 'ProjectRemoved');
  const byReceiver = new Map<Uid, NotificationDocument[]>();
  for (const each of gone) {
    const before = byReceiver.get(each.receiverId);
    if (before === undefined) byReceiver.set(each.receiverId, [each]);
    else before.push(each);
  }
  return [
    ...gone.map((each) => remove(NOTIFICATIONS, each.notificationId)),
    ...[...byReceiver].map(([uid, notifications]) => countGone(uid, notifications)),
    ...found
      .filter(({ type }) => type === 'ProjectRemoved')
      .map((each) => update<NotificationDocument>(NOTIFICATIONS, each.notificationId, (old) => ({ ...old, projectName: REMOVED_PROJECT }))),
  ];
}

/** What users did with their notifications, and what is deleted with people and projects. */
export const inboxProjections: Projections<
  InboxEvents & Pick<InquiryEvents, 'NotificationsStarted'> & Pick<ProjectEvents, 'ProjectPurged'> & Pick<UserEvents, 'UserErased'>
> = {
  NotificationsStarted: ({ position }) => [put(NOTIFICATIONS_START, START_ID, { position })],

  NotificationsRead: {
    reads: ({ data }) => data.notificationIds.map((id) => ({ collection: NOTIFICATIONS, id })),
    project({ data, position }, found) {
      const read = bodiesOf<NotificationDocument>(found).filter((each) => each.receiverId === data.uid && each.isMarkedUnread);
      const mark = (old: NotificationDocument): NotificationDocument => listed({ ...old, isMarkedUnread: false, position });
      return [...read.map(({ notificationId }) => update(NOTIFICATIONS, notificationId, mark)), countGone(data.uid, read)];
    },
  },
  NotificationsDismissed: (event) => [dismissAll(event.data.uid, event.data.set, event)],
  ChecklistItemTicked: ({ data, position }) => [setItem(data.uid, position, data.item, true)],
  ChecklistItemUnticked: ({ data, position }) => [setItem(data.uid, position, data.item, false)],

  ProjectPurged: {
    reads: (event) => OF_PROJECT.map((collection) => ({ collection, where: { field: 'projectId', value: idInStream(event) } })),
    project: (event, [notifications = [], ...others]) => [
      ...purged(bodiesOf<NotificationDocument>([notifications])),
      ...others.flatMap((found, at) => found.map(({ id }) => remove(OF_PROJECT[at + 1] ?? '', id))),
      remove(PROJECT_FACTS, idInStream(event)),
    ],
  },
  // A project keeps an erased owner until someone takes it over.
  UserErased: {
    reads: ({ data }) => [
      { collection: NOTIFICATIONS, where: { field: 'lists', value: listOf(data.uid, null, false) } },
      { collection: PROJECT_FACTS, where: { field: 'memberUids', value: data.uid } },
    ],
    project: ({ data }, [notifications = [], projects = []]) => [
      ...notifications.map(({ id }) => remove(NOTIFICATIONS, id)),
      ...projects.map(({ id }) => update<ProjectFacts>(PROJECT_FACTS, id, (old) => ({ ...old, memberUids: withoutIds(old.memberUids, [data.uid]) }))),
      remove(INBOXES, data.uid),
    ],
  },
};
