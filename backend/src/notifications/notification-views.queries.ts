import { Injectable } from '@nestjs/common';
import type { NotificationType } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationRefs, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { quoteOf } from '@roughmix/contracts/shared/post-text.js';
import { fullName, UNKNOWN_USER, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { ProjectAccessQueries, type SeenProject } from '../projects/project-access.queries.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { NotificationSubjectsQueries } from './notification-subjects.queries.js';
import type { Quoted } from './quoted-posts.queries.js';
import { sentenceOf } from './notification-sentences.js';
import { type InboxDocument, isUnread, lastChangeOf, type NotificationDocument, type NotificationSubject } from './notifications.documents.js';

/** Of these the subject is gone from the start. */
const ABOUT_REMOVALS: ReadonlySet<NotificationType> = new Set<NotificationType>([
  'VersionRemoved',
  'VersionRemovedNotifyUsers',
  'VersionRemovedNotifyOwner',
  'RegionRemoved',
  'ProjectRemoved',
  'CollectionRemoved',
]);

/** A notification, and whom its sentence and link name. */
export interface NamingNotification {
  readonly view: NotificationView;
  readonly names: readonly Uid[];
}

/** What views need besides the notifications themselves. */
interface ViewContext {
  readonly people: People;
  readonly seenBy: (projectId: Id, uid: Uid) => SeenProject | null;
  /** The subjects that exist, each with what is quoted of it. */
  readonly subjects: ReadonlyMap<Id, Quoted>;
}

/** A notification's subject as it is now, for the receiver. */
interface Now {
  readonly seen: SeenProject | null;
  readonly gone: boolean;
  readonly quote: string | null;
}

function nowOf({ type, subject, projectId, receiverId, detail }: NotificationDocument, { seenBy, subjects }: ViewContext): Now {
  const seen = projectId === null ? null : seenBy(projectId, receiverId);
  const exists = subject.kind === 'user' || (subject.kind === 'project' ? seen !== null : subjects.has(subject.id));
  const gone = ABOUT_REMOVALS.has(type) || !exists || (projectId !== null && seen === null);
  const text = type === 'ProjectUsersInvited' ? quoteOf(detail ?? '') : (subjects.get(subject.id)?.text ?? '');
  return { seen, gone, quote: gone || text === '' ? null : text };
}

const isPost = ({ kind }: NotificationSubject): boolean => kind === 'todo' || kind === 'comment';

function resourceNameOf({ subject }: NotificationDocument, { gone, quote }: Now): string | null {
  if (isPost(subject)) return quote;
  return gone && subject.kind === 'region' ? subject.category : subject.name;
}

const REF_NAMES = { version: 'versionId', region: 'regionId', todo: 'todoId', comment: 'commentId', collection: 'collectionId' } as const;
const QUERIES = { version: 'v', region: 'region', todo: 'todo', comment: 'comment' } as const;

function refsOf({ type, projectId, subject, versionId }: NotificationDocument): NotificationRefs {
  const own = subject.kind === 'user' || subject.kind === 'project' ? {} : { [REF_NAMES[subject.kind]]: subject.id };
  // Of the two types that a completed todo makes, only this one names the version.
  const version = type === 'CompleteShared' && versionId !== null ? { versionId } : {};
  return { ...(projectId === null ? {} : { projectId }), ...version, ...own };
}

function hrefOf({ subject, receiverId }: NotificationDocument, { seen, gone }: Now, people: People): string | null {
  const { kind, id } = subject;
  if (kind === 'collection') return gone ? null : `/projects?collection=${id}`;
  if (seen === null) return null;
  const { projectId, ownerUid } = seen.project;
  const page = ownerUid === receiverId ? `/projects/${projectId}` : `/${encodeURIComponent(usernameSlug(people(ownerUid).username))}/projects/${projectId}`;
  return gone || kind === 'project' || kind === 'user' ? page : `${page}?${QUERIES[kind]}=${id}`;
}

function viewOf(notification: NotificationDocument, inbox: InboxDocument, context: ViewContext): NotificationView {
  const { notificationId, type, receiverId, actorUid, projectId, projectName, subject, detail, dateAdded, dueDate, checklist } = notification;
  const now = nowOf(notification, context);
  const user = actorUid === null ? null : context.people(actorUid);
  const resourceName = resourceNameOf(notification, now);
  const names = { actor: user === null ? '' : fullName(user), parent: projectName ?? '', resource: resourceName ?? '' };
  return {
    _id: notificationId,
    type,
    isUnread: isUnread(notification, inbox),
    receiverId,
    userId: actorUid,
    user,
    postOwnerId: subject.ownerUid,
    parentResourceId: projectId,
    parentResourceName: projectName,
    resourceId: subject.kind === 'user' || subject.kind === 'project' ? null : subject.id,
    resourceName,
    message: sentenceOf(type, { ...names, detail, quote: now.quote, count: 0, isOwn: subject.ownerUid === receiverId }),
    dateAdded,
    dueDate,
    likes: null,
    negs: null,
    mediaType: subject.kind === 'version' ? 'track' : null,
    checklist,
    count: null,
    refs: refsOf(notification),
    href: hrefOf(notification, now, context.people),
    gone: now.gone,
    position: lastChangeOf(notification, inbox),
  };
}

/** Whom a notification names or quotes, without those who are erased. Its link may contain the username of the project's owner. */
function namesIn({ actorUid, subject, projectId, receiverId }: NotificationDocument, { people, seenBy, subjects }: ViewContext): readonly Uid[] {
  const owner = projectId === null ? null : (seenBy(projectId, receiverId)?.project.ownerUid ?? null);
  const named = [actorUid, subject.ownerUid, owner, ...(subjects.get(subject.id)?.mentions ?? [])];
  return [...new Set(named)].filter((uid) => uid !== null && people(uid).username !== UNKNOWN_USER) as readonly Uid[];
}

/** Notifications as their receivers see them, with what they are about as it is now. */
@Injectable()
export class NotificationViewsQueries {
  constructor(
    private readonly readSide: ReadSide,
    private readonly users: UsersQueries,
    private readonly access: ProjectAccessQueries,
    private readonly subjects: NotificationSubjectsQueries,
  ) {}

  /** In the given order. @param inboxOf the inbox of a receiver */
  async views(notifications: readonly NotificationDocument[], inboxOf: (uid: Uid) => InboxDocument): Promise<readonly NotificationView[]> {
    return (await this.named(notifications, inboxOf)).map(({ view }) => view);
  }

  /** As {@link views}, each with the people it names, for copies that must be forgotten with them. */
  named(notifications: readonly NotificationDocument[], inboxOf: (uid: Uid) => InboxDocument): Promise<readonly NamingNotification[]> {
    // What a notification is about must not be missing only because its own read model lags.
    const position = Math.max(0, ...notifications.map(({ madeAt }) => madeAt));
    return this.readSide.answer({ stream: '', position }, async () => {
      const context = await this.contextOf(notifications);
      return notifications.map((each) => ({ view: viewOf(each, inboxOf(each.receiverId), context), names: namesIn(each, context) }));
    });
  }

  private async contextOf(notifications: readonly NotificationDocument[]): Promise<ViewContext> {
    const projectIds = new Set(notifications.flatMap(({ projectId }) => projectId ?? []));
    const [seenBy, subjects] = await Promise.all([this.access.lookup(projectIds), this.subjects.current(notifications)]);
    const owners = notifications.flatMap(({ projectId, receiverId }) => (projectId === null ? [] : (seenBy(projectId, receiverId)?.project.ownerUid ?? [])));
    const mentioned = [...subjects.values()].flatMap(({ mentions }) => mentions);
    const named = notifications.flatMap(({ actorUid, subject }) => [actorUid ?? [], subject.ownerUid ?? []].flat());
    const people = await this.users.people([...owners, ...named, ...mentioned]);
    return { people, seenBy, subjects };
  }
}
