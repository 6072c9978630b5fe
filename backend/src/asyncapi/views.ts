import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { ImageContent, RemovedComment, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { NotesView } from '@roughmix/contracts/notes/note.view.js';
import type { NotificationCounts, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { OwnerView, PermissionLevel, ProjectView, UserPermissions } from '@roughmix/contracts/projects/project.view.js';
import type { RegionView, TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import { REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { FieldProblem, Problem } from '@roughmix/contracts/shared/problems.js';
import type { VersionNumber } from '@roughmix/contracts/shared/versions.js';
import { REMINDER_LABELS } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import type { PersonView, SelfView } from '@roughmix/contracts/users/user.view.js';
import type { AudioAnalysis } from '@roughmix/contracts/versions/version.events.js';
import type { PlaybackView, VersionView } from '@roughmix/contracts/versions/version.view.js';
import {
  absent,
  either,
  type Fields,
  flag,
  instant,
  listOf,
  nothing,
  number,
  objectOf,
  oneOf,
  optional,
  orNull,
  position,
  ref,
  type Schema,
  text,
  whole,
} from './schema.js';
import { notification, notificationCounts } from './notification-views.js';
import { person, self } from './user-views.js';

const audio: Fields<AudioAnalysis> = {
  duration: number,
  sampleRate: number,
  channels: whole,
  codec: text,
  loudness: orNull(number),
  truePeak: orNull(number),
};

const version: Fields<VersionView> = {
  _id: text,
  projectId: text,
  majorUpdate: whole,
  minorUpdate: whole,
  tinySummary: text,
  versionUrl: text,
  peaksUrl: orNull(text),
  peaksLevels: whole,
  dateAdded: instant,
  filename: text,
  uploader: ref('PersonView'),
  taggedUsers: listOf(text),
  completedTodos: listOf(text),
  initialLogin: flag,
  state: oneOf('analysing', 'ready', 'rejected'),
  duration: number,
  analysis: orNull(objectOf<AudioAnalysis>(audio)),
  playback: objectOf<PlaybackView>({ codec: text, isCopy: flag }),
  rejection: orNull(objectOf<NonNullable<VersionView['rejection']>>({ code: text, detail: text })),
  position,
};

const category = oneOf(...REGION_CATEGORIES);

const region: Fields<RegionView> = {
  _id: text,
  projectId: text,
  versionId: text,
  groupId: nothing,
  start: number,
  end: number,
  tag: category,
  label: orNull(text),
  timespan: text,
  user: ref('PersonView'),
  dateAdded: instant,
  edited: orNull(instant),
  commentIds: listOf(text),
  todoIds: listOf(text),
  parentRegion: orNull(text),
  childRegion: orNull(text),
  position,
};

const stamp = orNull(objectOf<Stamp>({ versionId: text, at: number }));
const taggedRegions = listOf(objectOf<TaggedRegionView>({ _id: text, tag: category, timespan: text, start: number, end: number, childRegion: orNull(text) }));

const comment: Fields<ActiveComment> = {
  _id: text,
  projectId: text,
  removed: absent,
  type: oneOf('text', 'image'),
  content: either(text, objectOf<ImageContent>({ mediaUrl: orNull(text), filename: text, dateAdded: instant, width: orNull(whole), height: orNull(whole) })),
  user: ref('PersonView'),
  dateAdded: instant,
  edited: orNull(instant),
  versionId: orNull(text),
  stamp,
  taggedRegions,
  taggedUsers: listOf(text),
  isReply: flag,
  parentCommentId: orNull(text),
  replyIds: listOf(text),
  groupId: nothing,
  projectOwner: text,
  likes: listOf(text),
  negs: optional(listOf(text)),
  negCount: optional(whole),
  position,
};

const removedComment: Fields<RemovedComment> = {
  _id: text,
  projectId: text,
  removed: { const: true },
  content: nothing,
  user: nothing,
  dateAdded: instant,
  replyIds: listOf(text),
  position,
};

const versionNumber = objectOf<VersionNumber>({ majorUpdate: whole, minorUpdate: whole });

const todo: Fields<TodoView> = {
  _id: text,
  projectId: text,
  versionId: orNull(text),
  content: text,
  user: ref('PersonView'),
  dateAdded: instant,
  dateModified: instant,
  edited: orNull(instant),
  isReply: flag,
  parentTodoId: orNull(text),
  parentOwner: orNull(ref('PersonView')),
  replyIds: listOf(text),
  taggedRegions,
  taggedUsers: listOf(text),
  stamp,
  completed: flag,
  dateCompleted: orNull(instant),
  completedBy: orNull(ref('PersonView')),
  completedTodosVersionId: orNull(text),
  completedTodosVersion: orNull(versionNumber),
  dueDate: orNull(instant),
  reminder: orNull({ type: 'object', propertyNames: oneOf(...REMINDER_LABELS), additionalProperties: whole, minProperties: 1, maxProperties: 1 }),
  reminderSent: flag,
  initialLogin: flag,
  position,
};

const owner: Fields<OwnerView> = {
  ...person,
  name: text,
  notes: optional(objectOf<NotesView>({ public: text, private: optional(text), hash: objectOf<NotesView['hash']>({ public: text, private: optional(text) }) })),
};

const project: Fields<ProjectView> = {
  _id: text,
  projectName: text,
  description: text,
  owner: objectOf<OwnerView>(owner),
  visibility: oneOf('private', 'public'),
  completed: flag,
  userPermissions: optional(objectOf<UserPermissions>({ read: listOf(text), write: listOf(text) })),
  addedUsers: optional(listOf(ref('PersonView'))),
  versionIds: listOf(text),
  versions: listOf(ref('VersionView')),
  currentVersion: orNull(ref('VersionView')),
  versionUrl: orNull(text),
  highestVersion: orNull(versionNumber),
  regionIds: listOf(text),
  todoIds: listOf(text),
  completedTodos: listOf(text),
  commentIds: listOf(text),
  sharedGroups: listOf(text),
  permissionLevel: optional(ref('PermissionLevel')),
  initialLogin: flag,
  firstVersionId: orNull(text),
  dateAdded: instant,
  dateModified: instant,
  position,
};

const permissionLevel: Fields<PermissionLevel> = {
  role: oneOf('Owner', 'Collaborator', 'Viewer', 'Visitor'),
  access: orNull(oneOf(0, 1, 2, 3)),
  comment: flag,
  download: flag,
  write: flag,
  owner: flag,
};

const problem: Fields<Problem> = {
  type: oneOf('about:blank'),
  title: text,
  status: whole,
  code: text,
  detail: { type: 'string', description: 'a sentence for the user' },
  instance: optional(text),
  limit: optional(number),
  field: optional(text),
  note: optional(oneOf('public', 'private')),
  theirs: optional(text),
  hash: optional(text),
  yours: optional(orNull(text)),
  errors: optional(listOf(objectOf<FieldProblem>({ field: text, code: text, detail: text }))),
};

const collection: Fields<CollectionView> = {
  _id: text,
  type: oneOf('collection'),
  title: text,
  projects: listOf(text),
  owner: ref('PersonView'),
  userPermissions: objectOf<CollectionView['userPermissions']>({ read: listOf({ not: {} }), write: listOf({ not: {} }) }),
  dateAdded: instant,
  dateModified: instant,
  position,
};

/** The resources in messages, by the names of their types. */
export const VIEWS = {
  PersonView: objectOf<PersonView>(person),
  SelfView: objectOf<SelfView>(self),
  VersionView: objectOf<VersionView>(version),
  RegionView: objectOf<RegionView>(region),
  CommentView: either(objectOf<ActiveComment>(comment), objectOf<RemovedComment>(removedComment)),
  TodoView: objectOf<TodoView>(todo),
  CollectionView: objectOf<CollectionView>(collection),
  NotificationView: objectOf<NotificationView>(notification),
  NotificationCounts: objectOf<NotificationCounts>(notificationCounts),
  ProjectView: objectOf<ProjectView>(project),
  PermissionLevel: objectOf<PermissionLevel>(permissionLevel),
  Problem: objectOf<Problem>(problem),
} as const satisfies Readonly<Record<string, Schema>>;
