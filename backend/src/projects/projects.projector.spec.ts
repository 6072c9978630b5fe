import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import { foldedBy } from '../testing/projected-documents.js';
import { storedSamples } from '../testing/stored-samples.js';
import { PROJECT_EVENT_TYPES } from './project-parts.decider.js';
import {
  lastChange,
  lastNotice,
  MAX_LOSSES,
  listsOf,
  type MembershipLosses,
  pieceAt,
  piecesUpTo,
  type ProjectDocument,
  type ProjectLists,
  type ProjectListsPiece,
} from './projects.documents.js';
import { projectsProjector } from './projects.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

async function after(history: ProjectHistory): Promise<ProjectDocument | null> {
  return (await foldedBy(stores, projectsProjector, history.events))[`projects/${PROJECT_ID}`] as ProjectDocument | null;
}
/** The stored comment count, and the number of listed comments. */
async function counted(history: ProjectHistory): Promise<readonly (number | undefined)[]> {
  return [(await after(history))?.commentCount, (await listsAfter(history)).commentIds.length];
}
async function listsAfter(history: ProjectHistory): Promise<ProjectLists> {
  const documents = await foldedBy(stores, projectsProjector, history.events);
  const pieces = piecesUpTo(PROJECT_ID, history.events.length).map((piece) => documents[`project-lists/${piece}`] as ProjectListsPiece | null);
  return listsOf(pieces.filter((piece) => piece !== null && piece !== undefined));
}
const at = (history: ProjectHistory, revision: number) => history.events.at(revision)?.meta.at;
const started = aProject()
  .ownedBy('ana', { invited: [{ uid: 'bob', access: 1, write: false }] })
  .withVersion('v1');

test('a project is unfinished until its first version, with the owner as its only member', async () => {
  const begun = aProject().ownedBy('ana', { description: 'Slow', invited: [{ uid: 'bob', access: 1, write: false }] });
  expect(await after(begun)).toEqual({
    projectId: PROJECT_ID,
    ownerUid: 'ana',
    firstVersionId: 'v1',
    projectName: 'Low tide',
    description: 'Slow',
    visibility: 'private',
    initialLogin: false,
    completed: false,
    started: false,
    members: {},
    addedBy: {},
    memberUids: ['ana'],
    listed: 'unfinished',
    versionIds: [],
    highestVersion: null,
    commentCount: 0,
    todoCount: 0,
    completedTodoCount: 0,
    dateAdded: at(begun, 0),
    dateModified: at(begun, 0),
    revision: 0,
    position: 1,
    noticed: 1,
    privateChange: null,
    dislikes: {},
  });
});

test('a project lists its members with their grants', async () => {
  const history = started
    .sharedWith('bob')
    .sharedWith('carl', { write: true })
    .withPermissions('bob', { access: 1, write: false }, { access: 2, write: false });
  expect(await after(history)).toMatchObject({
    members: { bob: { access: 2, write: false }, carl: { access: 3, write: true } },
    memberUids: ['ana', 'bob', 'carl'],
    listed: 'hidden',
  });
});

test.each<[string, ProjectHistory]>([
  ['removed', started.sharedWith('bob').sharedWith('carl').without('bob')],
  [
    'gone by themselves',
    started
      .sharedWith('bob')
      .sharedWith('carl')
      .and({ type: 'ProjectLeft', data: { uid: 'bob' } }, 'bob'),
  ],
])('a member who was %s is no longer listed', async (_what, history) => {
  const carl = history.events.findIndex(({ type, data }) => type === 'ProjectUsersInvited' && JSON.stringify(data).includes('carl'));
  expect(await after(history)).toMatchObject({ members: { carl: {} }, addedBy: { carl: history.events[carl]?.id }, memberUids: ['ana', 'carl'] });
});

test('a member who is removed and added again was added by the newer event', async () => {
  const again = started.sharedWith('bob').without('bob').sharedWith('bob');
  expect((await after(again))?.addedBy).toEqual({ bob: again.events.at(-1)?.id });
});

test('a public project is listed for everyone, a private one is not', async () => {
  expect((await after(started.made('public')))?.listed).toBe('public');
  expect((await after(started.made('public').made('private')))?.listed).toBe('hidden');
});

test('a project lists its existing versions in order, its regions, and its top-level comments', async () => {
  const history = started
    .withVersion('v2')
    .withVersion('v3')
    .withoutVersion('v2')
    .withRegion('r1')
    .withRegion('r2')
    .withoutRegion('r1')
    .withComment('c1')
    .withReply('c2', { to: 'c1' })
    .withComment('c3')
    .withoutComment('c3', { gone: ['c3'] });
  expect(await after(history)).toMatchObject({ versionIds: ['v1', 'v3'], highestVersion: { majorUpdate: 1, minorUpdate: 2 } });
  expect(await listsAfter(history)).toEqual({ regionIds: ['r2'], commentIds: ['c1'], todoIds: [], completedTodos: [] });
});

test('a project lists active todos in the order added and completed ones in the order completed, without replies', async () => {
  const history = started
    .withTodo('t1')
    .withTodo('t2')
    .withTodo('t3')
    .withTodo('t4')
    .withTodo('t5')
    .withTodoReply('t6', { to: 't1' })
    .completing('t4')
    .completing('t2')
    .completing('t5')
    .withoutTodo('t5')
    .withoutTodo('t3');
  expect(await listsAfter(history)).toMatchObject({ todoIds: ['t1'], completedTodos: ['t4', 't2'] });
});

test('a removed comment is kept until its last reply is removed', async () => {
  const tombstone = started.withComment('c1').withReply('c2', { to: 'c1' }).withoutComment('c1', { gone: [] });
  expect((await listsAfter(tombstone)).commentIds).toEqual(['c1']);
  expect((await listsAfter(tombstone.withoutComment('c2', { gone: ['c2', 'c1'], replyTo: 'c1' }))).commentIds).toEqual([]);
});

test('the comment count equals the number of listed comments', async () => {
  const thread = started.withComment('c1').withReply('c2', { to: 'c1' }).withReply('c3', { to: 'c1' }).withComment('c4');
  expect(await counted(thread)).toEqual([2, 2]);
  expect(await counted(thread.withoutComment('c4', { gone: ['c4'] }))).toEqual([1, 1]);
  const tombstone = thread.withoutComment('c1', { gone: [] }).withoutComment('c2', { gone: ['c2'], replyTo: 'c1' });
  expect(await counted(tombstone)).toEqual([2, 2]);
  expect(await counted(tombstone.withoutComment('c3', { gone: ['c3', 'c1'], replyTo: 'c1' }))).toEqual([1, 1]);
});

test("a user's change moves a project up in the list; analysis and ratings do not", async () => {
  const commented = started.withComment('c1');
  expect(await after(commented)).toMatchObject({ dateModified: at(commented, -1), position: 3 });
  const passedOver = commented.analysed('v1').rated('c1', { by: 'bob', to: 'likes' });
  expect(await after(passedOver)).toMatchObject({ dateModified: at(commented, -1), position: 5 });
});

test('name, description and state are the latest', async () => {
  const history = started
    .and({ type: 'ProjectRenamed', data: { from: 'Low tide', to: 'High tide' } })
    .and({ type: 'ProjectDescriptionEdited', data: { from: '', to: 'Fast' } })
    .and({ type: 'ProjectCompletionChanged', data: { from: false, to: true } });
  expect(await after(history)).toMatchObject({ projectName: 'High tide', description: 'Fast', completed: true });
});

test('a removed project has no document', async () => expect(await after(started.removed())).toBeNull());

test("a long project's items are stored in pieces, so that another comment rewrites only the last one", async () => {
  let history = started;
  for (let number = 0; number < 1_200; number += 1) history = history.withComment(`c${number}`);
  history = history.withoutComment('c3', { gone: ['c3'] });
  const documents = await foldedBy(stores, projectsProjector, history.events);
  const piece = (revision: number) =>
    listsOf([documents[`project-lists/${pieceAt(PROJECT_ID, revision)}`] as ProjectListsPiece | null].filter((each) => each !== null));
  expect([0, 500, 1_000].map((revision) => piece(revision).commentIds.length)).toEqual([500 - 2, 500, 202]);
  const { commentIds } = await listsAfter(history);
  expect([commentIds.length, commentIds.slice(0, 5), commentIds.at(-1)]).toEqual([1_199, ['c0', 'c1', 'c2', 'c4', 'c5'], 'c1199']);
  expect((await listsAfter(history.and({ type: 'ProjectRemoved', data: { abandoned: false } }, 'ana'))).commentIds).toEqual([]);
});

test('users who were removed or left are recorded with project and position, each loss once, at most twenty', async () => {
  const lossesOf = async (history: ProjectHistory, uid: string) =>
    (await foldedBy(stores, projectsProjector, history.events))[`membership-losses/${uid}`] as MembershipLosses | null | undefined;
  const removed = started.sharedWith('bob').sharedWith('carl').without('bob');
  expect(await lossesOf(removed, 'bob')).toEqual({ losses: [{ projectId: PROJECT_ID, position: removed.events.length }] });
  expect(await lossesOf(removed, 'carl')).toBeFalsy();
  let often = started;
  for (let time = 0; time <= MAX_LOSSES; time += 1) often = often.sharedWith('bob').without('bob');
  const losses = (await lossesOf(often, 'bob'))?.losses ?? [];
  expect(losses).toHaveLength(MAX_LOSSES);
  expect(losses.at(-1)?.position).toBe(often.events.length);
});

test('a project counts its active and its completed todos, without replies', async () => {
  const counts = async (history: ProjectHistory) => {
    const project = await after(history);
    return [project?.todoCount, project?.completedTodoCount];
  };
  const three = started.withTodo('t1').withTodo('t2').withTodo('t3').withTodoReply('t4', { to: 't1' });
  expect(await counts(three)).toEqual([3, 0]);
  const completed = three.completing('t1').completing('t2');
  expect(await counts(completed)).toEqual([1, 2]);
  expect(await counts(completed.withoutTodo('t1', { wasCompleted: true }).withoutTodo('t3'))).toEqual([0, 1]);
});

test('the private note moves a project for its owner only', async () => {
  const noted = started.withPrivateNote('Ask Bob').withComment('c1').withPrivateNote('Ask Carl');
  const project = await after(noted);
  expect(project).toMatchObject({ dateModified: at(noted, 3), position: 4, revision: 3, privateChange: { at: at(noted, 4), position: 5 } });
  if (project === null) throw new Error('no project');
  expect(lastChange(project, 'ana')).toEqual({ dateModified: at(noted, 4), position: 5 });
  for (const uid of ['bob', null]) expect(lastChange(project, uid)).toEqual({ dateModified: at(noted, 3), position: 4 });
  const commented = noted.withComment('c2');
  const later = await after(commented);
  expect(later && lastChange(later, 'ana')).toEqual({ dateModified: at(commented, 5), position: 6 });
});

test('a play leaves a project as it was; a dislike moves it for its rater only, a like for everybody', async () => {
  const commented = started.withComment('c1');
  const play = { type: 'VersionPlayed', data: { versionId: 'v1', seconds: 1, endedAt: 2 } } as const;
  const before = await after(commented);
  expect(await after(commented.and(play, 'bob'))).toEqual(before);
  const positions = async (history: ProjectHistory): Promise<readonly unknown[]> => {
    const project = await after(history);
    if (project === null) throw new Error('no project');
    return [...['bob', 'ana', null].map((uid) => lastChange(project, uid).position), lastNotice(project, 'ana'), project.dateModified === before?.dateModified];
  };
  const disliked = commented.and(play, 'bob').rated('c1', { by: 'bob', to: 'negs' });
  expect(await positions(disliked)).toEqual([5, 3, 3, 5, true]);
  expect(await positions(disliked.rated('c1', { by: 'bob', from: 'negs', to: null }))).toEqual([6, 3, 3, 6, true]);
  expect(await positions(disliked.rated('c1', { by: 'bob', from: 'negs', to: 'likes' }))).toEqual([6, 6, 6, 6, true]);
  expect(await positions(commented.rated('c1', { by: 'bob', to: 'likes' }))).toEqual([4, 4, 4, 4, true]);
});

test('a member who takes over is the owner, and no longer among the members with grants', async () => {
  const shared = started.sharedWith('bob', { write: true }).sharedWith('carl').withPrivateNote('Ask Bob');
  const takenOver = shared.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'bob' } }, 'bob');
  expect(await after(takenOver)).toMatchObject({ ownerUid: 'bob', memberUids: ['bob', 'carl'], privateChange: null, position: 6 });
  expect((await after(takenOver))?.members).toEqual({ carl: { access: 1, write: false } });
  expect(Object.keys((await after(takenOver))?.addedBy ?? {})).toEqual(['carl']);
});

test("every event of a project's stream moves its position, whichever slice it belongs to, except the private note and plays", () => {
  const others = ['ProjectCreated', 'ProjectRemoved', 'ProjectPurged', 'PrivateNoteEdited', 'VersionPlayed'];
  const touched = [...projectsProjector.handles].filter((type) => !others.includes(type));
  expect([...projectsProjector.handles].toSorted()).toEqual(PROJECT_EVENT_TYPES.toSorted());
  for (const type of touched) {
    const sample = storedSamples().find((each) => each.type === type);
    if (sample === undefined) throw new Error(`no sample of ${type}`);
    const change = projectsProjector.project({ ...sample, position: 99, revision: 7 }).find(({ collection }) => collection === 'projects');
    expect(change?.change({ members: {}, addedBy: {}, versionIds: [], commentCount: 1, position: 1, revision: 1 })).toMatchObject({
      position: 99,
      revision: 7,
    });
  }
});
