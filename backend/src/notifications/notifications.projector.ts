import type { CollectionEvents } from '@roughmix/contracts/collections/collection.events.js';
import type { InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { InboxEvents } from '@roughmix/contracts/notifications/notification.events.js';
import { NOTHING_TICKED, type NotificationType, setOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { ProjectStreamEvents } from '@roughmix/contracts/projects/project.events.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, type Found, projector, type Projections, type Projector, put, type Read } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { inboxProjections } from './inbox.projections.js';
import { countNew, tickOf } from './inbox.changes.js';
import {
  type Known,
  POST_FACTS,
  type PostFacts,
  PROJECT_FACTS,
  type ProjectFacts,
  REGION_FACTS,
  type RegionFacts,
  VERSION_FACTS,
  type VersionFacts,
} from './notification-facts.js';
import { factProjections } from './notification-facts.projections.js';
import { isOwnEntry, receiversOf } from './notification-receivers.js';
import { type Notice, NOTIFICATION_RULES } from './notification-rules.js';
import { cardId, INBOXES, listed, type NotificationDocument, NOTIFICATIONS, NOTIFICATIONS_START, notificationId, START_ID } from './notifications.documents.js';

type NotifyingEvents = ProjectStreamEvents & CollectionEvents & UserEvents;
/** The tables, whatever the type of the event. */
type AnyRule = { readonly reads?: (data: unknown) => readonly Read[]; readonly notice: (event: StoredEvent, known: Known) => Notice | null };
const rules = NOTIFICATION_RULES as Readonly<Record<string, AnyRule | undefined>>;
const facts = factProjections as Readonly<Record<string, ((event: StoredEvent) => readonly DocumentChange[]) | undefined>>;

const START: Read = { collection: NOTIFICATIONS_START, id: START_ID };
const isOfProject = ({ stream }: StoredEvent): boolean => stream.startsWith('project-');

/** The start of the feature comes first, then the project, then what the rule asks for. */
const readsOf = (event: StoredEvent): readonly Read[] => [
  START,
  ...(isOfProject(event) ? [{ collection: PROJECT_FACTS, id: idInStream(event) }] : []),
  ...(rules[event.type]?.reads?.(event.data) ?? []),
];

/** What was found in one collection, by id. */
const foundIn = <Doc>(collection: string, reads: readonly Read[], found: Found): ReadonlyMap<string, Doc> =>
  new Map(reads.flatMap((read, at) => (read.collection === collection ? (found[at] ?? []).map(({ id, body }) => [id, body as Doc] as const) : [])));

function knownBefore(event: StoredEvent, found: Found): Known {
  const reads = readsOf(event);
  return {
    project: foundIn<ProjectFacts>(PROJECT_FACTS, reads, found).get(idInStream(event)) ?? null,
    posts: foundIn<PostFacts>(POST_FACTS, reads, found),
    versions: foundIn<VersionFacts>(VERSION_FACTS, reads, found),
    regions: foundIn<RegionFacts>(REGION_FACTS, reads, found),
  };
}

/** The notification of one receiver. */
function notificationOf(event: StoredEvent, notice: Notice, { receiverId, type, known, isNews }: Told): NotificationDocument {
  const { meta, position, stream } = event;
  const isCard = type === 'UsersNew';
  return listed({
    notificationId: isCard ? cardId(receiverId) : notificationId(event.id, receiverId),
    type,
    receiverId,
    actorUid: isCard ? null : meta.actorUid,
    dateAdded: meta.at,
    madeAt: position,
    stream,
    isMarkedUnread: isNews && !isOwnEntry(type),
    position,
    projectId: known.project?.projectId ?? null,
    // A new name applies to its own notification.
    projectName: event.type === 'ProjectRenamed' ? (event.data as ProjectStreamEvents['ProjectRenamed']).to : (known.project?.projectName ?? null),
    subject: notice.subject,
    detail: notice.detail ?? null,
    versionId: notice.versionId ?? null,
    dueDate: notice.dueDate ?? null,
    checklist: isCard ? NOTHING_TICKED : null,
    hasUploaded: false,
  });
}

interface Told {
  readonly receiverId: Uid;
  readonly type: NotificationType;
  readonly known: Known;
  /** The feature had started. */
  readonly isNews: boolean;
}

function notified(event: StoredEvent, found: Found): readonly DocumentChange[] {
  const known = knownBefore(event, found);
  const notice = rules[event.type]?.notice(event, known) ?? null;
  if (notice === null) return [];
  const isNews = (found[0] ?? []).length > 0;
  return [...receiversOf(notice, event, known)].flatMap(([receiverId, type]) => {
    const notification = notificationOf(event, notice, { receiverId, type, known, isNews });
    const counted = notification.isMarkedUnread ? [{ collection: INBOXES, id: receiverId, change: countNew(setOf(type), type === 'UsersNew') }] : [];
    return [put(NOTIFICATIONS, notification.notificationId, notification), ...counted];
  });
}

const TYPES = [...new Set([...Object.keys(rules), ...Object.keys(facts)])];

/** Every event changes what the rules know, and gives notice of what was known before. */
const notifying = Object.fromEntries(
  TYPES.map((type) => [
    type,
    {
      reads: readsOf,
      project: (event: StoredEvent, found: Found): readonly DocumentChange[] => [...(facts[type]?.(event) ?? []), ...notified(event, found), ...tickOf(event)],
    },
  ]),
) as Projections<NotifyingEvents>;

/** `taggedRegions` and `parentId` find the authors that a region or a thread concerns; `memberUids` the projects of an erased user; `madeAt` what an event made. */
export const notificationsProjector: Projector = projector<NotifyingEvents & InboxEvents & Pick<InquiryEvents, 'NotificationsStarted'>>(
  {
    name: 'notifications',
    version: 2,
    collections: [
      { name: NOTIFICATIONS, indexes: [{ field: 'lists', sort: 'dateAdded' }, { field: 'madeAt' }, { field: 'projectId' }] },
      { name: INBOXES, indexes: [] },
      { name: NOTIFICATIONS_START, indexes: [] },
      { name: PROJECT_FACTS, indexes: [{ field: 'memberUids' }] },
      { name: POST_FACTS, indexes: [{ field: 'projectId' }, { field: 'taggedRegions' }, { field: 'parentId' }] },
      { name: VERSION_FACTS, indexes: [{ field: 'projectId' }] },
      { name: REGION_FACTS, indexes: [{ field: 'projectId' }] },
    ],
  },
  { ...notifying, ...inboxProjections },
);
