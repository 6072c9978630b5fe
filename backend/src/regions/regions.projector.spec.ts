import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import { foldedBy } from '../testing/projected-documents.js';
import { regionsProjector } from './regions.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

async function after(history: ProjectHistory, regionId = 'r1'): Promise<unknown> {
  return (await foldedBy(stores, regionsProjector, history.events))[`regions/${regionId}`];
}
const drawn = aProject().ownedBy('ana').sharedWith('bob').withVersion('v1').withRegion('r1', { by: 'bob', label: 'Chorus' });
const unmarked = { taggedRegions: [], stamp: null };
const marked = { taggedRegions: ['r1'], stamp: null };
const edited = (history: ProjectHistory, from: typeof unmarked | typeof marked, to: typeof unmarked | typeof marked) =>
  history.and({ type: 'CommentEdited', data: { commentId: 'c1', content: 'x', taggedUsers: [], from, to } }, 'bob');

test('a region belongs to its version and its author', async () => {
  expect(await after(drawn)).toEqual({
    regionId: 'r1',
    projectId: PROJECT_ID,
    versionId: 'v1',
    authorUid: 'bob',
    start: 10,
    end: 20,
    tag: 'mix',
    label: 'Chorus',
    dateAdded: drawn.events.at(-1)?.meta.at,
    edited: null,
    commentIds: [],
    todoIds: [],
    parentRegionId: null,
    childIds: [],
    position: 4,
  });
});

test('an edited region has the time of the edit', async () => {
  const from = { start: 10, end: 20, tag: 'mix', label: 'Chorus' } as const;
  const history = drawn.and({ type: 'RegionEdited', data: { regionId: 'r1', from, to: { ...from, end: 30, label: null } } }, 'bob');
  expect(await after(history)).toMatchObject({ start: 10, end: 30, label: null, edited: history.events.at(-1)?.meta.at, position: 5 });
});

test('lists the comments and replies that tag it, each once, in order; they move its position but not its edit time', async () => {
  const history = drawn.withComment('c1', { tags: ['r1'] }).withReply('c2', { to: 'c1', tags: ['r1'] });
  expect(await after(history)).toMatchObject({ commentIds: ['c1', 'c2'], edited: null, position: 6 });
});

test('a comment is listed while it has the tag', async () => {
  const comment = drawn.withComment('c1');
  expect(await after(edited(comment, unmarked, marked))).toMatchObject({ commentIds: ['c1'], position: 6 });
  expect(await after(edited(edited(comment, unmarked, marked), marked, marked))).toMatchObject({ commentIds: ['c1'], position: 6 });
  expect(await after(edited(edited(comment, unmarked, marked), marked, unmarked))).toMatchObject({ commentIds: [], position: 7 });
});

test('a removed comment is no longer listed', async () => {
  const history = drawn.withComment('c1', { tags: ['r1'] }).withoutComment('c1', { gone: ['c1'], tags: ['r1'] });
  expect(await after(history)).toMatchObject({ commentIds: [], position: 6 });
});

test('lists the todos and replies that tag it until they are removed or tagged differently', async () => {
  const tagged = drawn.withTodo('t1', { tags: ['r1'] }).withTodoReply('t2', { to: 't1', tags: ['r1'] });
  expect(await after(tagged)).toMatchObject({ todoIds: ['t1', 't2'], commentIds: [], edited: null, position: 6 });
  const text = { content: 'x', taggedUsers: [], from: marked, to: unmarked };
  expect(await after(tagged.and({ type: 'TodoEdited', data: { todoId: 't1', text, due: null } }))).toMatchObject({ todoIds: ['t2'] });
  expect(await after(tagged.withoutTodoReply('t2', { from: 't1', tags: ['r1'] }))).toMatchObject({ todoIds: ['t1'] });
  expect(await after(tagged.withoutTodo('t1', { replyIds: ['t2'], taggedRegions: ['r1'] }))).toMatchObject({ todoIds: [] });
});

test('remains when its version is removed, and is deleted when removed itself, even if tagged', async () => {
  expect(await after(drawn.withoutVersion('v1'))).toMatchObject({ regionId: 'r1' });
  expect(
    await after(
      drawn
        .withComment('c1', { tags: ['r1'] })
        .withoutRegion('r1', { by: 'bob' })
        .withoutComment('c1', { gone: ['c1'], tags: ['r1'] }),
    ),
  ).toBeNull();
});

test('a region lists its children, the newest last, while they exist', async () => {
  const history = drawn.withChild('k1', { by: 'ana', of: 'r1' }).withChild('k2', { by: 'ana', of: 'r1' });
  expect(await after(history)).toMatchObject({ childIds: ['k1', 'k2'], edited: null, position: 6 });
  expect(await after(history, 'k2')).toMatchObject({ parentRegionId: 'r1', versionId: 'v1', authorUid: 'ana', start: 11, label: null, childIds: [] });
  expect(await after(history.withoutRegion('k2', { childOf: 'r1' }))).toMatchObject({ childIds: ['k1'], position: 7 });
});

test('the children of a removed region have no parent', async () => {
  const history = drawn.withChild('k1', { by: 'ana', of: 'r1' }).withoutRegion('r1', { children: ['k1'] });
  expect(await after(history, 'k1')).toMatchObject({ parentRegionId: null, edited: null, position: 6 });
});
