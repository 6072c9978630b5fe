import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { TutorialEvents } from '@roughmix/contracts/tutorial/tutorial.events.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { bodiesOf, type DocumentChange, type Found, projector, type Projector, put, type Read, remove, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { dayOf, NO_USAGE, USAGE, USAGE_FILES, USAGE_PROJECTS, type UsageDocument, type UsageFile, type UsageProject } from './usage.documents.js';

type UsageChange = (usage: UsageDocument) => UsageDocument;

/** Counts something for a user who may have nothing yet. */
const count = (uid: Uid, change: UsageChange): DocumentChange => ({
  collection: USAGE,
  id: uid,
  change: (old) => ({ ...change((old as UsageDocument | null) ?? NO_USAGE) }),
});

const addBytes =
  (bytes: number): UsageChange =>
  (usage) => ({ ...usage, bytes: usage.bytes + bytes });
const addProjects =
  (projects: number): UsageChange =>
  (usage) => ({ ...usage, projects: usage.projects + projects });
const addTrashed =
  (day: string, bytes: number): UsageChange =>
  ({ trashed: { [day]: before = 0, ...others }, ...usage }) => ({ ...usage, trashed: before + bytes > 0 ? { ...others, [day]: before + bytes } : others });

/** Files with the ids of their documents. */
type Files = readonly (readonly [id: Id, file: UsageFile])[];

const filesOf = (found: Found): Files => (found[0] ?? []).map(({ id, body }) => [id, body as unknown as UsageFile]);
const fileOf = (id: Id): Read => ({ collection: USAGE_FILES, id });
const filesOfProject = (event: StoredEvent): Read => ({ collection: USAGE_FILES, where: { field: 'projectId', value: idInStream(event) } });
const projectOf = (event: Pick<StoredEvent, 'stream'>): Read => ({ collection: USAGE_PROJECTS, id: idInStream(event) });

/** One change for each user, whatever the number of files: `change` is applied for one after the other. */
function perUser(files: Files, change: (file: UsageFile) => UsageChange): readonly DocumentChange[] {
  const uids = [...new Set(files.map(([, { uid }]) => uid))];
  return uids.map((uid) => {
    const own = files.filter(([, file]) => file.uid === uid);
    return update<UsageDocument>(USAGE, uid, (usage) => own.reduce((now, [, file]) => change(file)(now), usage));
  });
}

function added(event: StoredEvent, id: Id, size: number): readonly DocumentChange[] {
  const uid = event.meta.actorUid ?? '';
  const file: UsageFile = { uid, projectId: idInStream(event), size, trashedOn: null };
  return [count(uid, addBytes(size)), put<UsageFile>(USAGE_FILES, id, file)];
}

/** Files that are deleted at once. */
const deleted = (files: Files): readonly DocumentChange[] => [
  ...perUser(files, ({ trashedOn, size }) => (trashedOn === null ? addBytes(-size) : addTrashed(trashedOn, -size))),
  ...files.map(([id]) => remove(USAGE_FILES, id)),
];

/** Files that got a copy for browsers, which counts with them from now on. */
const grown = (files: Files, bytes: number): readonly DocumentChange[] => [
  ...perUser(files, () => addBytes(bytes)),
  ...files.map(([id]) => update<UsageFile>(USAGE_FILES, id, (file) => ({ ...file, size: file.size + bytes }))),
];

/** Files that go to the trash. */
function trashed(event: StoredEvent, files: Files): readonly DocumentChange[] {
  const day = dayOf(event.meta.at);
  const fresh = files.filter(([, { trashedOn }]) => trashedOn === null);
  return [
    ...perUser(
      fresh,
      ({ size }) =>
        (usage) =>
          addTrashed(day, size)(addBytes(-size)(usage)),
    ),
    ...fresh.map(([id]) => update<UsageFile>(USAGE_FILES, id, (file) => ({ ...file, trashedOn: day }))),
  ];
}

const ownerIn = (found: Found | undefined, at: number): Uid | null => bodiesOf<UsageProject>(found?.slice(at, at + 1) ?? [])[0]?.ownerUid ?? null;

/** The project no longer counts for its owner. */
const uncounted = (event: Pick<StoredEvent, 'stream'>, owner: Uid | null): readonly DocumentChange[] =>
  owner === null ? [] : [update<UsageDocument>(USAGE, owner, addProjects(-1)), remove(USAGE_PROJECTS, idInStream(event))];

/** Copies of the log's facts that quotas need. Restores and imports add their events here. */
export const usageProjector: Projector = projector<
  Pick<ProjectEvents, 'ProjectCreated' | 'ProjectTakenOver' | 'ProjectRemoved' | 'ProjectPurged'> &
    Pick<VersionEvents, 'VersionAdded' | 'PlaybackCopied' | 'VersionRejected' | 'VersionReplaced' | 'VersionRemoved'> &
    Pick<CommentEvents, 'CommentImageAdded.v2' | 'CommentRemoved'> &
    Pick<UserEvents, 'UserErased'> &
    TutorialEvents
>(
  {
    name: 'usage',
    version: 2,
    collections: [
      { name: USAGE, indexes: [] },
      { name: USAGE_FILES, indexes: [{ field: 'projectId' }] },
      { name: USAGE_PROJECTS, indexes: [] },
    ],
  },
  {
    ProjectCreated: ({ data }) => [count(data.ownerUid, addProjects(1)), put<UsageProject>(USAGE_PROJECTS, data.projectId, { ownerUid: data.ownerUid })],
    ProjectTakenOver: {
      reads: (event) => [projectOf(event)],
      project: (event, found) => [
        ...uncounted(event, ownerIn(found, 0)),
        count(event.data.to, addProjects(1)),
        put<UsageProject>(USAGE_PROJECTS, idInStream(event), { ownerUid: event.data.to }),
      ],
    },
    ProjectRemoved: {
      reads: (event) => [filesOfProject(event), projectOf(event)],
      project: (event, found) => [...trashed(event, filesOf(found)), ...uncounted(event, ownerIn(found, 1))],
    },
    ProjectPurged: {
      reads: (event) => [filesOfProject(event), projectOf(event)],
      project: (event, found) => [...deleted(filesOf(found)), ...uncounted(event, ownerIn(found, 1))],
    },
    VersionAdded: (event) => added(event, event.data.versionId, event.data.file.size),
    VersionReplaced: (event) => added(event, event.data.versionId, event.data.file.size),
    PlaybackCopied: { reads: ({ data }) => [fileOf(data.versionId)], project: ({ data }, found) => grown(filesOf(found), data.copy.size) },
    // The file is deleted.
    VersionRejected: { reads: ({ data }) => [fileOf(data.versionId)], project: (_event, found) => deleted(filesOf(found)) },
    VersionRemoved: { reads: ({ data }) => [fileOf(data.versionId)], project: (event, found) => trashed(event, filesOf(found)) },
    'CommentImageAdded.v2': (event) => added(event, event.data.commentId, event.data.size),
    CommentRemoved: { reads: ({ data }) => [fileOf(data.commentId)], project: (event, found) => trashed(event, filesOf(found)) },
    // The tutorial and what came with it count for nobody.
    TutorialCreated: {
      reads: (event) => [filesOfProject(event), projectOf(event)],
      project: (event, found) => [...deleted(filesOf(found)), ...uncounted(event, ownerIn(found, 1))],
    },
    UserErased: ({ data }) => [remove(USAGE, data.uid)],
  },
);
