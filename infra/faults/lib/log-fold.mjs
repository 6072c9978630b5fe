// An independent reading and fold of the log: by SQL, with its own decryption of sealed fields, sharing no code with the program.
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { MASTER_KEY } from './program.mjs';

const opened = (key, aad, text) => {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
};

/** Data keys by their stream or user, from vault records; tombstones of destroyed keys are skipped. */
export function keysIn(records, masterKey = MASTER_KEY) {
  const master = Buffer.from(hkdfSync('sha256', masterKey, '', 'roughmix master key 1', 32));
  return new Map(records.filter(({ body }) => body.wrapped !== undefined).map(({ id, body }) => [id, opened(master, id, body.wrapped)]));
}

/** The data keys in a vault. */
function dataKeys(file, masterKey) {
  const vault = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = vault.prepare("SELECT id, body FROM records WHERE collection = 'data-keys'").all();
    return keysIn(
      rows.map(({ id, body }) => ({ id, body: JSON.parse(body) })),
      masterKey,
    );
  } finally {
    vault.close();
  }
}

/** An event's data with sealed fields decrypted; '' without a key. */
export function openLeaves(value, keys, id, path = '') {
  if (value !== null && typeof value === 'object' && typeof value.$sealed === 'string') {
    const key = keys.get(value.by);
    return key === undefined ? '' : JSON.parse(opened(key, `${id}:${path}`, value.$sealed).toString('utf8'));
  }
  if (Array.isArray(value)) return value.map((member) => (member !== null && typeof member === 'object' ? openLeaves(member, keys, id, `${path}[]`) : member));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, openLeaves(member, keys, id, path === '' ? name : `${path}.${name}`)]));
}

/**
 * Every event of the log in a data folder, oldest first, with sealed fields decrypted. Works while the program is running.
 * @returns {{ position: number, stream: string, revision: number, id: string, type: string, data: any, meta: any }[]}
 */
export function readLog(folder, { masterKey = MASTER_KEY } = {}) {
  const log = new DatabaseSync(join(folder, 'log.db'), { readOnly: true, timeout: 5_000 });
  try {
    // The log before its keys, because a key is created before the fields it seals.
    const rows = log.prepare('SELECT position, stream, revision, id, type, data, meta FROM log ORDER BY position').all();
    const keys = dataKeys(join(folder, 'vault.db'), masterKey);
    return rows.map((row) => ({ ...row, data: openLeaves(JSON.parse(row.data), keys, row.id), meta: JSON.parse(row.meta) }));
  } finally {
    log.close();
  }
}

/** Problems in the order of a log, as sentences: positions and revisions must be gapless, ids unique. */
export function disorder(events) {
  const wrong = [];
  const ids = new Set();
  const revisions = new Map();
  events.forEach((event, at) => {
    if (event.position !== at + 1) wrong.push(`position ${event.position} where ${at + 1} belongs`);
    if (event.revision !== (revisions.get(event.stream) ?? -1) + 1) wrong.push(`${event.stream} has a gap at revision ${event.revision}`);
    if (ids.has(event.id)) wrong.push(`the id ${event.id} occurs twice`);
    revisions.set(event.stream, event.revision);
    ids.add(event.id);
  });
  return wrong;
}

const project = () => ({
  members: new Map(),
  versions: new Map(),
  regions: new Map(),
  comments: new Map(),
  todos: new Map(),
  completedTodos: [],
  notes: { public: '', private: '' },
  removed: false,
});

const spliced = (text, { at, removed, inserted }) => text.slice(0, at) + inserted + text.slice(at + removed);

/** How each event changes a project. */
const FOLDS = {
  ProjectCreated: (state, { data }) =>
    Object.assign(state, { ownerUid: data.ownerUid, name: data.projectName, description: data.description, visibility: 'private', completed: false }),
  ProjectUsersInvited: (state, { data }) => data.invited.forEach(({ uid, access, write }) => state.members.set(uid, { access, write })),
  ProjectPermissionsChanged: (state, { data }) => state.members.set(data.uid, { access: data.to.access, write: data.to.write }),
  ProjectTakenOver: (state, { data }) => {
    state.members.delete(data.to);
    state.ownerUid = data.to;
    state.notes.private = '';
  },
  PublicNoteEdited: (state, { data }) => Object.assign(state.notes, { public: spliced(state.notes.public, data) }),
  PrivateNoteEdited: (state, { data }) => Object.assign(state.notes, { private: spliced(state.notes.private, data) }),
  ProjectUsersRemoved: (state, { data }) => data.uids.forEach((uid) => state.members.delete(uid)),
  ProjectLeft: (state, { data }) => state.members.delete(data.uid),
  ProjectRenamed: (state, { data }) => Object.assign(state, { name: data.to }),
  ProjectDescriptionEdited: (state, { data }) => Object.assign(state, { description: data.to }),
  ProjectVisibilityChanged: (state, { data }) => Object.assign(state, { visibility: data.to }),
  ProjectCompletionChanged: (state, { data }) => Object.assign(state, { completed: data.to }),
  ProjectRemoved: (state) => Object.assign(state, { removed: true }),
  VersionAdded: (state, { data }) =>
    state.versions.set(data.versionId, { number: `${data.major}.${data.minor}`, summary: data.tinySummary, state: 'analysing' }),
  VersionAnalyzed: (state, { data }) => Object.assign(state.versions.get(data.versionId) ?? {}, { state: 'ready' }),
  PlaybackCopied: () => undefined,
  VersionRejected: (state, { data }) => Object.assign(state.versions.get(data.versionId) ?? {}, { state: 'rejected' }),
  VersionReplaced: (state, { data }) => Object.assign(state.versions.get(data.versionId) ?? {}, { state: 'analysing' }),
  VersionRemoved: (state, { data }) => state.versions.delete(data.versionId),
  RegionAdded: (state, { data }) => state.regions.set(data.regionId, { versionId: data.versionId, ...data.span }),
  RegionEdited: (state, { data }) => Object.assign(state.regions.get(data.regionId) ?? {}, data.to),
  ChildRegionAdded: (state, { data }) => state.regions.set(data.regionId, { versionId: data.versionId, ...data.span, parent: data.parentRegionId }),
  RegionRemoved: (state, { data }) => state.regions.delete(data.regionId),
  'RegionRemoved.v2': (state, { data }) => {
    state.regions.delete(data.regionId);
    for (const id of data.childIds) Object.assign(state.regions.get(id) ?? {}, { parent: null });
  },
  TodoAdded: (state, { data }) =>
    state.todos.set(data.todoId, { content: data.content, parent: null, replies: [], due: data.due.dueDate, reminder: data.due.reminder, sent: false }),
  TodoReplyAdded: (state, { data }) => {
    state.todos.set(data.todoId, { content: data.content, parent: data.parentTodoId, replies: [], due: null, reminder: null, sent: false });
    state.todos.get(data.parentTodoId).replies.push(data.todoId);
  },
  TodoEdited: (state, { data: { todoId, text, due } }) => {
    const todo = state.todos.get(todoId);
    if (text !== null) Object.assign(todo, { content: text.content });
    if (due === null) return;
    const sent = todo.sent && due.from.reminder?.at === due.to.reminder?.at;
    Object.assign(todo, { due: due.to.dueDate, reminder: due.to.reminder, sent });
  },
  TodoCompleted: (state, { data }) => state.completedTodos.push(data.todoId),
  TodoRemoved: (state, { data }) => {
    for (const id of [data.todoId, ...data.replyIds]) state.todos.delete(id);
    state.completedTodos = state.completedTodos.filter((id) => id !== data.todoId);
  },
  TodoReplyRemoved: (state, { data }) => {
    state.todos.delete(data.todoId);
    const parent = state.todos.get(data.parentTodoId);
    parent.replies = parent.replies.filter((id) => id !== data.todoId);
  },
  TodoReminderFired: (state, { data }) => Object.assign(state.todos.get(data.todoId), { sent: true }),
  TodoReminderSkipped: (state, { data }) => Object.assign(state.todos.get(data.todoId), { sent: true }),
  CommentAdded: (state, { data }) => state.comments.set(data.commentId, { content: data.content, kind: data.kind, parent: null, replies: [], likes: [] }),
  CommentReplyAdded: (state, { data }) => {
    state.comments.set(data.commentId, { content: data.content, kind: 'text', parent: data.parentCommentId, replies: [], likes: [] });
    state.comments.get(data.parentCommentId)?.replies.push(data.commentId);
  },
  CommentEdited: (state, { data }) => Object.assign(state.comments.get(data.commentId) ?? {}, { content: data.content }),
  CommentRemoved: (state, { data }) => {
    const parent = state.comments.get(data.parentCommentId);
    if (parent !== undefined) parent.replies = parent.replies.filter((id) => id !== data.commentId);
    Object.assign(state.comments.get(data.commentId) ?? {}, { content: null, removed: true, likes: [] });
    for (const id of data.gone) state.comments.delete(id);
  },
  CommentRated: (state, { data, meta }) => {
    const comment = state.comments.get(data.commentId);
    if (comment === undefined) return;
    comment.likes = comment.likes.filter((uid) => uid !== meta.actorUid);
    if (data.to === 'likes') comment.likes.push(meta.actorUid);
  },
};

/** The projects of a log, by id. */
export function foldProjects(events) {
  const projects = new Map();
  for (const event of events) {
    if (!event.stream.startsWith('project-')) continue;
    const id = event.stream.slice('project-'.length);
    if (!projects.has(id)) projects.set(id, project());
    FOLDS[event.type]?.(projects.get(id), event);
  }
  return projects;
}

/** The collections of a log, by id. */
export function foldCollections(events) {
  const collections = new Map();
  for (const { type, stream, data } of events) {
    if (type === 'CollectionAdded') collections.set(data.collectionId, { ownerUid: data.ownerUid, title: data.title, projects: data.projectIds });
    if (type === 'CollectionRemoved') collections.delete(data.collectionId);
    if (type === 'CollectionEdited') {
      const collection = collections.get(data.collectionId);
      Object.assign(collection, { title: data.to, projects: [...collection.projects.filter((id) => !data.removed.includes(id)), ...data.added] });
    }
    if (type === 'ProjectRemoved') {
      for (const collection of collections.values()) collection.projects = collection.projects.filter((id) => stream !== `project-${id}`);
    }
  }
  return collections;
}
