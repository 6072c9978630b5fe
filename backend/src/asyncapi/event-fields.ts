import { CHECKLIST_ITEMS, NOTIFICATION_SETS } from '@roughmix/contracts/notifications/notification.types.js';
import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import { REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import { flag, instant, listOf, nothing, number, oneOf, orNull, type Schema, text, whole } from './schema.js';

const SCHEMA_BY_FIELD: Readonly<Record<string, Schema>> = {
  access: oneOf(0, 1, 2, 3),
  write: flag,
  abandoned: flag,
  guest: flag,
  emailed: flag,
  subscribe: flag,
  wasCompleted: flag,
  enabled: flag,
  directMessages: flag,
  todoReminders: flag,
  mentions: flag,
  replies: flag,
  invitations: flag,
  activity: flag,
  digest: flag,
  hideFromSearch: flag,
  noindex: flag,
  uids: listOf(text),
  taggedUsers: listOf(text),
  taggedRegions: listOf(text),
  versionIds: listOf(text),
  regionIds: listOf(text),
  childIds: listOf(text),
  commentIds: listOf(text),
  todoIds: listOf(text),
  parentRegionId: orNull(text),
  replyIds: listOf(text),
  gone: listOf(text),
  projectIds: listOf(text),
  inquiryIds: listOf(text),
  notificationIds: listOf(text),
  major: whole,
  minor: whole,
  majorUpdate: whole,
  minorUpdate: whole,
  size: whole,
  channels: whole,
  peaksLevels: whole,
  width: whole,
  height: whole,
  duration: number,
  sampleRate: number,
  loudness: orNull(number),
  truePeak: orNull(number),
  start: number,
  end: number,
  at: number,
  dueDate: orNull(whole),
  seconds: whole,
  endedAt: instant,
  tag: oneOf(...REGION_CATEGORIES),
  set: oneOf(...NOTIFICATION_SETS),
  item: oneOf(...CHECKLIST_ITEMS),
};

/** For plain fields whose meaning depends on the event. */
const SCHEMA_BY_EVENT_FIELD: Readonly<Record<string, Schema>> = {
  'StaffRoleChanged.from': orNull(oneOf('admin', 'support', 'analyst')),
  'StaffRoleChanged.to': orNull(oneOf('admin', 'support', 'analyst')),
  'ProjectVisibilityChanged.from': oneOf('private', 'public'),
  'ProjectVisibilityChanged.to': oneOf('private', 'public'),
  'ProjectCompletionChanged.from': flag,
  'ProjectCompletionChanged.to': flag,
  'PublicNoteEdited.at': whole,
  'PublicNoteEdited.removed': whole,
  'PrivateNoteEdited.at': whole,
  'PrivateNoteEdited.removed': whole,
  'CollectionEdited.added': listOf(text),
  'CollectionEdited.removed': listOf(text),
  'CommentRated.from': orNull(oneOf('likes', 'negs')),
  'CommentRated.to': orNull(oneOf('likes', 'negs')),
  'CommentAdded.kind': oneOf('text', 'image'),
  'ChildRegionAdded.parentRegionId': text,
  'CommentAdded.versionId': orNull(text),
  'CommentReplyAdded.versionId': orNull(text),
  'CommentRemoved.parentCommentId': orNull(text),
  'TodoAdded.versionId': orNull(text),
  'TodoReplyAdded.versionId': orNull(text),
  'TodoRemoved.completedVersionId': orNull(text),
};

/** Sealed fields are left out; an empty text was never sealed. */
const SEALED_BUT_EMPTY: Schema = { enum: ['', null], description: 'sealed and left out unless empty' };

interface Node {
  schema?: Schema;
  isPlain: boolean;
  isList: boolean;
  readonly members: Map<string, Node>;
}

const newNode = (): Node => ({ isPlain: false, isList: false, members: new Map() });

function plainSchema(type: string, path: string): Schema {
  const name = path.split('.').at(-1) ?? path;
  return SCHEMA_BY_EVENT_FIELD[`${type}.${path}`] ?? SCHEMA_BY_FIELD[name] ?? text;
}

function nodeSchema({ schema, isPlain, isList, members }: Node): Schema {
  if (members.size === 0 && schema !== undefined) return schema;
  const required = [...members].filter(([, member]) => isRequired(member)).map(([name]) => name);
  const properties = Object.fromEntries([...members].map(([name, member]) => [name, nodeSchema(member)]));
  const object: Schema = { type: 'object', additionalProperties: false, required, properties };
  if (isList) return { type: 'array', items: object };
  // A leaf that may also be an object is null where it is none.
  return isPlain ? { anyOf: [object, nothing] } : object;
}

const isRequired = ({ isPlain, members }: Node): boolean => isPlain || [...members.values()].some(isRequired);

/** The schema of an event's published data: its plain fields, by their classes. */
export function dataSchema(type: string, classes: FieldClasses): Schema {
  const root = newNode();
  for (const [path, fieldClass] of Object.entries(classes)) {
    let current = root;
    for (const part of path.split('.')) {
      const name = part.replace('[]', '');
      const next = current.members.get(name) ?? newNode();
      current.members.set(name, next);
      next.isList ||= part.endsWith('[]');
      current = next;
    }
    current.isPlain = fieldClass === 'plain';
    current.schema = fieldClass === 'plain' ? plainSchema(type, path) : SEALED_BUT_EMPTY;
  }
  return nodeSchema(root);
}
