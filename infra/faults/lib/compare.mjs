import { isDeepStrictEqual } from 'node:util';
import { disorder, foldCollections, foldProjects, readLog } from './log-fold.mjs';
import { pageOf, reactorsDone } from './studio.mjs';

const byText = (a, b) => (a < b ? -1 : 1);
const sorted = (entries) => [...entries].toSorted(([a], [b]) => byText(a, b));

/** A project of our own fold, normalised for comparison. */
const fromLog = (state) => ({
  name: state.name,
  description: state.description,
  visibility: state.visibility,
  completed: state.completed,
  notes: state.notes,
  members: sorted(state.members).map(([uid, { access, write }]) => `${uid}-${write ? 'write' : access}`),
  versions: sorted(state.versions).map(([id, { number, summary, state: stands }]) => ({ id, number, summary, state: stands })),
  regions: sorted(state.regions).map(([id, { versionId, start, end, tag, label, parent }]) => ({
    id,
    versionId,
    start,
    end,
    tag,
    label: label ?? null,
    parent: parent ?? null,
  })),
  todos: [...state.todos].map(([id, { reminder, ...rest }]) => ({
    id,
    ...rest,
    reminder: rest.parent === null ? (reminder === null ? { None: -1 } : { [reminder.label]: reminder.at }) : null,
  })),
  todoIds: [...state.todos].flatMap(([id, { parent }]) => (parent === null && !state.completedTodos.includes(id) ? id : [])),
  completedTodos: state.completedTodos,
  comments: sorted(state.comments)
    .filter(([, { kind }]) => kind === 'text')
    .map(([id, { content, parent, replies, likes, removed }]) =>
      removed === true ? { id, removed, replies } : { id, content, parent, replies, likes: likes.toSorted(byText) },
    ),
});

/** A page, normalised in the same way. */
const fromPage = ({ project, versions, regions, todos, comments }) => ({
  name: project.projectName,
  description: project.description,
  visibility: project.visibility,
  completed: project.completed,
  notes: { public: project.owner.notes.public, private: project.owner.notes.private },
  members: [...project.userPermissions.read, ...project.userPermissions.write.map((each) => each.replace(/-3$/, '-write'))].toSorted(byText),
  versions: sorted(versions.map((version) => [version._id, version])).map(([id, { majorUpdate, minorUpdate, tinySummary, state }]) => ({
    id,
    number: `${majorUpdate}.${minorUpdate}`,
    summary: tinySummary,
    state,
  })),
  regions: sorted(regions.map((region) => [region._id, region])).map(([id, { versionId, start, end, tag, label, parentRegion }]) => ({
    id,
    versionId,
    start,
    end,
    tag,
    label,
    parent: parentRegion,
  })),
  todos: todos.map(({ _id, content, parentTodoId, replyIds, dueDate, reminderSent, reminder }) => ({
    id: _id,
    content,
    parent: parentTodoId,
    replies: replyIds,
    due: dueDate,
    sent: reminderSent,
    reminder,
  })),
  todoIds: project.todoIds,
  completedTodos: project.completedTodos,
  comments: sorted(comments.map((comment) => [comment._id, comment]))
    .filter(([, { type }]) => type !== 'image')
    .map(([id, { removed, content, parentCommentId, replyIds, likes }]) =>
      removed === true ? { id, removed, replies: replyIds } : { id, content, parent: parentCommentId, replies: replyIds, likes: [...likes].toSorted(byText) },
    ),
});

function difference(told_, shown_) {
  return Object.keys(told_)
    .filter((name) => !isDeepStrictEqual(told_[name], shown_[name]))
    .map((name) => {
      const [a, b] = [JSON.stringify(told_[name]), JSON.stringify(shown_[name])];
      const at = a.split('').findIndex((letter, index) => letter !== b[index]);
      return `${name}: the log has …${a.slice(Math.max(0, at - 60), at + 120)}, the page shows …${b.slice(Math.max(0, at - 60), at + 120)}`;
    });
}

/** Compares project pages, as seen by their owners, with our own fold of these events. */
export async function comparePages({ events, owners, wrong }) {
  let compared = 0;
  for (const [projectId, state] of foldProjects(events)) {
    const owner = owners.get(state.ownerUid);
    if (owner === undefined) continue;
    compared += 1;
    if (state.removed) {
      const { status } = await owner.call('GET', `/api/projects/${projectId}/visitor/${owner.uid}`);
      if (status !== 404) wrong(`project ${projectId} is removed in the log, its page answers ${status}`);
      continue;
    }
    if (state.versions.size === 0) continue;
    for (const sentence of difference(fromLog(state), fromPage(await pageOf(owner, projectId)))) wrong(`project ${projectId}: ${sentence}`);
  }
  return compared;
}

/** Compares the collections that each user is shown with our own fold of these events. */
async function compareCollections({ events, people, wrong }) {
  const folded = [...foldCollections(events)];
  for (const who of people) {
    const { collections } = await who.must('GET', `/api/collections/${who.uid}`);
    const shown = collections.map(({ _id, title, projects }) => ({ _id, title, projects }));
    const expected = folded.flatMap(([_id, { ownerUid, ...rest }]) => (ownerUid === who.uid ? [{ _id, ...rest }] : []));
    if (!isDeepStrictEqual(shown, expected)) wrong(`collections: the log has ${JSON.stringify(expected)}, the user is shown ${JSON.stringify(shown)}`);
  }
  return folded.length;
}

/**
 * Checks an idle program: the log is in order, contains all acknowledged commands, and every page equals our own fold of it.
 * @param {{ folder: string, ledger: import('./ledger.mjs').Ledger, people: import('./client.mjs').Client[], wrong: (sentence: string) => void, count: (what: string, n: number) => void }} _
 *   `people`: the project owners, at the program's current address, with no calls in progress
 */
export async function compareAll({ folder, ledger, people, wrong, count }) {
  // An analysis that finishes between reading the log and the page would look like a difference.
  await reactorsDone(people[0]);
  const events = readLog(folder);
  for (const sentence of disorder(events)) wrong(sentence);
  for (const sentence of ledger.missingIn(events)) wrong(sentence);
  const compared = await comparePages({ events, owners: new Map(people.map((each) => [each.uid, each])), wrong });
  count('events folded', events.length);
  count('collections compared', await compareCollections({ events, people, wrong }));
  count('projects compared', compared);
  return events;
}
