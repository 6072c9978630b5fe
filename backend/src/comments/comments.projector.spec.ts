import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import { foldedBy } from '../testing/projected-documents.js';
import type { CommentDocument } from './comments.documents.js';
import { commentsProjector } from './comments.projector.js';

let testStores: TestStores;
beforeAll(async () => {
  testStores = await openTestStores();
});
afterAll(() => testStores.close());

async function after(history: ProjectHistory, commentId = 'c1'): Promise<CommentDocument | null> {
  return (await foldedBy(testStores, commentsProjector, history.events))[`comments/${commentId}`] as CommentDocument | null;
}
const stamp = { versionId: 'v1', at: 3 };
const said = aProject()
  .ownedBy('ana')
  .sharedWith('bob')
  .withVersion('v1')
  .withComment('c1', { by: 'bob', taggedUsers: ['ana'], tags: ['r1'], stamp });
const threaded = said.withReply('c2', { by: 'ana', to: 'c1' }).withReply('c3', { by: 'bob', to: 'c1' });
const at = (history: ProjectHistory) => history.events.at(-1)?.meta.at;

test('a comment is stored with all its fields', async () => {
  expect(await after(said)).toEqual({
    commentId: 'c1',
    projectId: PROJECT_ID,
    kind: 'text',
    content: 'Louder here',
    image: null,
    authorUid: 'bob',
    dateAdded: at(said),
    edited: null,
    versionId: 'v1',
    stamp,
    taggedRegions: ['r1'],
    taggedUsers: ['ana'],
    parentCommentId: null,
    replyIds: [],
    likes: [],
    negs: [],
    dislikes: {},
    removed: false,
    position: 4,
  });
});

test('a reply refers to its comment, and the comment lists its replies', async () => {
  expect(await after(threaded)).toMatchObject({ replyIds: ['c2', 'c3'], position: 6, edited: null });
  expect(await after(threaded, 'c2')).toMatchObject({ parentCommentId: 'c1', authorUid: 'ana', replyIds: [], position: 5 });
});

test('an edit records its time and keeps replies and ratings', async () => {
  const from = { taggedRegions: ['r1'], stamp };
  const to = { taggedRegions: [], stamp: null };
  const history = threaded
    .rated('c1', { by: 'ana', to: 'likes' })
    .and({ type: 'CommentEdited', data: { commentId: 'c1', content: 'Softer', taggedUsers: [], from, to } }, 'bob');
  expect(await after(history)).toMatchObject({ content: 'Softer', taggedUsers: [], ...to, edited: at(history), replyIds: ['c2', 'c3'], likes: ['ana'] });
});

test('an image comment starts with its file name and gets its image later', async () => {
  const announced = said.withComment('c4', { by: 'bob', kind: 'image', content: 'a.png' });
  expect(await after(announced, 'c4')).toMatchObject({ kind: 'image', content: 'a.png', image: null });
  const history = announced.withImage('c4', { by: 'bob' });
  expect(await after(history, 'c4')).toMatchObject({
    image: { key: 'bob/ProjectMediaFiles/p1/c4/image.png', contentType: 'image/png', width: 4, height: 3, dateAdded: at(history) },
  });
});

test('each person likes or dislikes, never both', async () => {
  const likes = said.rated('c1', { by: 'ana', to: 'likes' }).rated('c1', { by: 'carl', to: 'likes' });
  expect(await after(likes)).toMatchObject({ likes: ['ana', 'carl'], negs: [] });
  expect(await after(likes.rated('c1', { by: 'ana', from: 'likes', to: 'negs' }))).toMatchObject({ likes: ['carl'], negs: ['ana'] });
  expect(await after(likes.rated('c1', { by: 'ana', from: 'likes', to: null }))).toMatchObject({ likes: ['carl'], negs: [] });
});

test('a dislike leaves the position that everybody sees; a rating that others see moves it', async () => {
  const facts = async (history: ProjectHistory): Promise<unknown> => {
    const comment = (await after(history)) as CommentDocument;
    return [comment.position, comment.dislikes];
  };
  const disliked = said.rated('c1', { by: 'ana', to: 'negs' });
  expect(await facts(disliked)).toEqual([4, { ana: 5 }]);
  expect(await facts(disliked.rated('c1', { by: 'carl', to: 'negs' }).rated('c1', { by: 'ana', from: 'negs', to: null }))).toEqual([4, { ana: 7, carl: 6 }]);
  expect(await facts(disliked.rated('c1', { by: 'ana', from: 'negs', to: 'likes' }))).toEqual([6, { ana: 5 }]);
  expect(await facts(said.rated('c1', { by: 'ana', to: 'likes' }))).toEqual([5, {}]);
});

test('a removed comment with replies keeps its place and none of its content', async () => {
  const history = threaded.rated('c1', { by: 'ana', to: 'likes' }).withoutComment('c1', { by: 'bob', gone: [], tags: ['r1'] });
  const nothing = { content: '', stamp: null, taggedRegions: [], taggedUsers: [], likes: [], negs: [], image: null };
  expect(await after(history)).toMatchObject({ removed: true, replyIds: ['c2', 'c3'], ...nothing, dateAdded: at(said) });
});

test('removing a reply keeps its comment; removing the last one also removes the placeholder', async () => {
  const one = threaded.withoutComment('c2', { by: 'ana', gone: ['c2'], replyTo: 'c1' });
  expect(await after(one)).toMatchObject({ replyIds: ['c3'] });
  expect(await after(one, 'c2')).toBeNull();
  const none = one.withoutComment('c1', { by: 'bob', gone: [] }).withoutComment('c3', { by: 'bob', gone: ['c3', 'c1'], replyTo: 'c1' });
  expect([await after(none), await after(none, 'c3')]).toEqual([null, null]);
});
