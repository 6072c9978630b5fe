import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
  CommentsAnswer,
  CommentView,
  ActiveComment,
  ProjectPageAnswer,
} from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, aProjectWith, comment, region, reply, type CreatedProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';

const COMMENT =
  '_id content dateAdded edited groupId isReply likes negs parentCommentId position projectId projectOwner replyIds stamp taggedRegions taggedUsers type user versionId';
const OWN = COMMENT.replace('likes negs', 'likes negCount negs');
const REMOVED = '_id content dateAdded position projectId removed replyIds user';

let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;
let uma: Person;
let sharedProject: CreatedProject;
let other: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo, uma] = await app.people('Ana', 'Bob', 'Cleo', 'Uma');
  sharedProject = await aProjectWith(ana, { viewers: [`${bob.uid}-3`, `${cleo.uid}-1`], isPublic: true });
  other = await aProjectWith(bob);
});
afterAll(() => app.stop());

const add = (who: Person, submission: object): Promise<Answer<CommentAddedAnswer>> =>
  who.post('/api/comments', { projectId: sharedProject.projectId, submission });
const edit = (who: Person, id: string, submission: object): Promise<Answer<CommentEditedAnswer>> => who.put(`/api/comments/${id}`, { submission });
const remove = (who: Person, id: string): Promise<Answer<CommentRemovedAnswer>> => who.post(`/api/comments/${id}`, { projectId: sharedProject.projectId });
const seen = async (who: Person, ...ids: string[]): Promise<readonly CommentView[]> =>
  bodyOf(await who.get<CommentsAnswer>(`/api/comments/${ids.join(',')}`)).comments;
const rate = (who: Person, id: string, type: string, on: unknown = true): Promise<Answer<CommentRatedAnswer>> =>
  who.put(`/api/comments/${id}/rating`, { type, on });
const commentIds = async (): Promise<readonly string[]> =>
  bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${sharedProject.projectId}`)).project.commentIds;

describe('a new comment', () => {
  test('is returned with the updated project', async () => {
    const answer = await add(bob, { content: '  Louder\nhere ' });
    expect([answer.status, keysOf(answer.body), answer.body.oldComment]).toEqual([201, ['newComment', 'oldComment', 'updatedProject'], null]);
    const { newComment } = answer.body;
    expect(keysOf(newComment).join(' ')).toBe(OWN);
    expect(newComment).toMatchObject({
      type: 'text',
      content: '  Louder\nhere ',
      user: { _id: bob.uid, uid: bob.uid },
      projectId: sharedProject.projectId,
      projectOwner: ana.uid,
      versionId: sharedProject.versionId,
      edited: null,
      isReply: false,
      parentCommentId: null,
      groupId: null,
      likes: [],
      negs: [],
      negCount: 0,
      position: Number(answer.headers.get('x-position')),
    });
    expect((await seen(uma, newComment._id)).map((view) => keysOf(view).join(' '))).toEqual([COMMENT]);
    expect(await commentIds()).toContain(newComment._id);
  });

  test.each<[what: string, word: string, submission: object]>([
    ['10,000 characters', '201', { content: 'x'.repeat(10_000) }],
    ['10,001 characters', '400 limit.content', { content: 'x'.repeat(10_001) }],
    ['white space alone', '400 comment.empty', { content: ' \n\t\u00a0 ' }],
    ['nothing', '400 comment.empty', { content: '' }],
    ['no content', '400 request.invalid', {}],
    ['a number', '400 request.invalid', { content: 7 }],
    ['type text', '201', { content: 'x', type: 'text' }],
    ['a version that is not there', '404 version.not-found', { content: 'x', versionId: 'x' }],
    ['a region that is not there', '404 region.not-found', { content: 'x', taggedRegions: [{ _id: 'x' }] }],
    ['two regions', '400 request.invalid', { content: 'x', taggedRegions: [{ _id: 'x' }, { _id: 'y' }] }],
    ['regions of another form', '400 request.invalid', { content: 'x', taggedRegions: ['x'] }],
    ['a stamp of null', '201', { content: 'x', stamp: null }],
    ['a stamp of another form', '400 request.invalid', { content: 'x', stamp: 1 }],
    ['a stamp before the track', '400 request.invalid', { content: 'x', stamp: { versionId: 'x', at: -1 } }],
    ['a stamp on no version', '404 version.not-found', { content: 'x', stamp: { versionId: 'x', at: 1 } }],
    ['an unknown field', '400 request.unknown-field', { content: 'x', colour: 'red' }],
    ['the type text', '201', { content: 'x', type: 'text' }],
    ['another type', '400 request.invalid', { content: 'x', type: 'link' }],
    ['a file name', '400 request.unknown-field', { content: 'x', filename: 'a.png' }],
    ['an image without a file name', '400 request.invalid', { type: 'image', content: { filename: ' ' } }],
  ])('with %s is %s', async (_what, word, submission) => {
    expect(statusAndCode(await add(bob, submission))).toBe(word);
  });

  test('is refused with the limit and the field when it is too long', async () => {
    expectRefused(await add(bob, { content: 'x'.repeat(10_001) }), 'limit.content', { limit: 10_000, field: 'content' });
  });

  test('has its timestamp to the millisecond, within the version', async () => {
    const { versionId } = sharedProject;
    expect((await comment(bob, sharedProject.projectId, { stamp: { versionId, at: 1.23456 } })).stamp).toEqual({ versionId, at: 1.235 });
    expect(statusAndCode(await add(bob, { content: 'x', stamp: { versionId, at: 2 } }))).toBe('201');
    expect(statusAndCode(await add(bob, { content: 'x', stamp: { versionId, at: 2.01 } }))).toBe('400 stamp.out-of-bounds');
  });

  test('mentions each member once, never the author; unknown names stay plain text', async () => {
    const content = '%MENTION_Cleo Tester_END% %MENTION_cleo tester_END% %MENTION_Bob Tester_END% %MENTION_Uma Tester_END% %MENTION_Nobody_END% @Ana';
    const said = await comment(bob, sharedProject.projectId, { content, taggedUsers: [uma.uid] });
    expect(said.taggedUsers).toEqual([cleo.uid]);
    expect(said.content).toBe(content.replace('cleo tester', 'Cleo Tester'));
    expect((await comment(bob, sharedProject.projectId, { content: '%MENTION_Everyone_END%' })).taggedUsers.toSorted()).toEqual([ana.uid, cleo.uid].toSorted());
  });

  test('is attached to the version it names, otherwise to the current one', async () => {
    const second = await addVersion(ana, sharedProject.projectId);
    expect((await comment(bob, sharedProject.projectId)).versionId).toBe(second._id);
    expect((await comment(bob, sharedProject.projectId, { versionId: sharedProject.versionId })).versionId).toBe(sharedProject.versionId);
    bodyOf(await ana.post(`/api/media/${second._id}`, { projectId: sharedProject.projectId }));
  });
});

describe('an edit', () => {
  test('changes the text; marks stay when missing, and [] and null remove them', async () => {
    const drawn = await region(bob, sharedProject);
    const { versionId } = sharedProject;
    const said = await comment(bob, sharedProject.projectId, { taggedRegions: [{ _id: drawn._id }], stamp: { versionId, at: 1 } });
    const answer = await edit(bob, said._id, { content: 'Softer' });
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedContent', 'updatedProject']]);
    expect(keysOf(answer.body.updatedContent).join(' ')).toBe(OWN);
    expect(answer.body.updatedContent).toMatchObject({
      content: 'Softer',
      edited: expect.any(Number),
      stamp: { versionId, at: 1 },
      taggedRegions: [{ _id: drawn._id }],
    });
    const cleared = bodyOf(await edit(bob, said._id, { taggedRegions: [], stamp: null })).updatedContent;
    expect(cleared).toMatchObject({ content: 'Softer', stamp: null, taggedRegions: [] });
    expect((await ana.get(`/api/regions/${drawn._id}`)).body).toMatchObject({ regions: [{ commentIds: [] }] });
    const same = await edit(bob, said._id, { content: 'Softer' });
    expect([same.status, same.headers.get('x-position'), same.body.updatedContent]).toEqual([200, null, cleared]);
  });

  test('is refused when it is empty, too long, for a missing comment, or in another project', async () => {
    const { _id } = await comment(bob, sharedProject.projectId);
    expectRefused(await edit(bob, _id, { content: ' ' }), 'comment.empty');
    expectRefused(await edit(bob, _id, { content: 'x'.repeat(10_001) }), 'limit.content', { limit: 10_000, field: 'content' });
    expectRefused(await edit(bob, 'nothing', { content: 'x' }), 'comment.not-found');
    expectRefused(await bob.put(`/api/comments/${_id}`, { projectId: other.projectId, submission: { content: 'x' } }), 'comment.not-found');
  });
});

describe('replies', () => {
  test('of white space alone are refused', async () => {
    const { _id } = await comment(bob, sharedProject.projectId);
    const blank = await ana.post(`/api/comments/${_id}/reply`, { projectId: sharedProject.projectId, submission: { content: ' \n' } });
    expectRefused(blank, 'comment.empty');
  });

  test('are attached to the first comment of their thread and listed only in its replyIds', async () => {
    const first = await comment(bob, sharedProject.projectId);
    const answer = await cleo.post<CommentReplyAnswer>(`/api/comments/${first._id}/reply`, {
      projectId: sharedProject.projectId,
      submission: { content: 'Yes' },
    });
    expect([answer.status, keysOf(answer.body)]).toEqual([201, ['newComment', 'updatedParentComment', 'updatedProject']]);
    const { newComment, updatedParentComment } = answer.body;
    expect(newComment).toMatchObject({ isReply: true, parentCommentId: first._id, replyIds: [] });
    expect(updatedParentComment).toMatchObject({ _id: first._id, replyIds: [newComment._id], edited: null });
    const second = await reply(ana, sharedProject.projectId, newComment._id);
    expect(second).toMatchObject({ isReply: true, parentCommentId: first._id });
    const views = await seen(uma, second._id, first._id, newComment._id);
    expect(views.map(({ _id, replyIds }) => [_id, replyIds])).toEqual([
      [second._id, []],
      [first._id, [newComment._id, second._id]],
      [newComment._id, []],
    ]);
    expect((await commentIds()).filter((id) => [newComment._id, second._id].includes(id))).toEqual([]);
    expectRefused(await ana.post(`/api/comments/${first._id}/reply`, { projectId: other.projectId, submission: { content: 'x' } }), 'project.not-found');
    const toNothing = { projectId: sharedProject.projectId, submission: { content: 'x' } };
    for (const who of [ana, uma]) expectRefused(await who.post('/api/comments/nothing/reply', toNothing), 'comment.not-found');
  });

  test('keep a removed comment as a placeholder until the last one goes', async () => {
    const first = await comment(bob, sharedProject.projectId);
    const [one, two] = [await reply(ana, sharedProject.projectId, first._id), await reply(cleo, sharedProject.projectId, first._id)];
    const answer = await remove(bob, first._id);
    expect([answer.status, keysOf(answer.body), answer.body.updatedParentComment]).toEqual([200, ['updatedParentComment', 'updatedProject'], null]);
    const [tombstone] = await seen(bob, first._id);
    expect([keysOf(tombstone).join(' '), tombstone]).toEqual([
      REMOVED,
      expect.objectContaining({ _id: first._id, removed: true, content: null, user: null, replyIds: [one._id, two._id] }),
    ]);
    expect(await commentIds()).toContain(first._id);
    for (const refused of [
      await remove(bob, first._id),
      await edit(bob, first._id, { content: 'x' }),
      await rate(ana, first._id, 'likes'),
      await ana.post(`/api/comments/${first._id}/reply`, { projectId: sharedProject.projectId, submission: { content: 'x' } }),
    ]) {
      expectRefused(refused, 'comment.not-found');
    }
    expect(bodyOf(await remove(ana, one._id)).updatedParentComment).toMatchObject({ _id: first._id, replyIds: [two._id] });
    expect(bodyOf(await remove(cleo, two._id)).updatedParentComment).toBeNull();
    expect(await seen(bob, first._id, one._id, two._id)).toEqual([]);
    expect(await commentIds()).not.toContain(first._id);
  });

  test('a comment without replies is gone once it is removed', async () => {
    const { _id } = await comment(bob, sharedProject.projectId);
    expect(bodyOf(await remove(bob, _id)).updatedProject.commentIds).not.toContain(_id);
    expect(await seen(bob, _id)).toEqual([]);
    expectRefused(await remove(bob, _id), 'comment.not-found');
  });
});

describe('ratings', () => {
  const negs = (view: CommentView | undefined): unknown => [(view as ActiveComment).negs, (view as ActiveComment).negCount];

  test('everyone sees likes; a dislike is seen by the one who gave it, and only the author sees how many', async () => {
    const { _id } = await comment(bob, sharedProject.projectId);
    const liked = await rate(ana, _id, 'likes');
    expect([liked.status, keysOf(liked.body)]).toEqual([200, ['updatedComment', 'updatedProject']]);
    expect(liked.body.updatedComment).toMatchObject({ likes: [ana.uid], negs: [] });
    expect(keysOf(liked.body.updatedComment).join(' ')).toBe(COMMENT);
    const again = await rate(ana, _id, 'likes');
    expect([again.status, again.headers.get('x-position')]).toEqual([200, null]);
    bodyOf(await rate(ana, _id, 'negs'));
    bodyOf(await rate(cleo, _id, 'negs'));
    for (const who of [ana, cleo, bob, uma]) expect((await seen(who, _id)).map((view) => (view as ActiveComment).likes)).toEqual([[]]);
    expect([negs((await seen(ana, _id))[0]), negs((await seen(cleo, _id))[0])]).toEqual([
      [[ana.uid], undefined],
      [[cleo.uid], undefined],
    ]);
    expect([negs((await seen(bob, _id))[0]), negs((await seen(uma, _id))[0])]).toEqual([
      [[], 2],
      [[], undefined],
    ]);
    bodyOf(await rate(ana, _id, 'likes', false));
    expect(negs((await seen(bob, _id))[0])).toEqual([[], 2]);
    bodyOf(await rate(ana, _id, 'negs', false));
    expect(negs((await seen(bob, _id))[0])).toEqual([[], 1]);
  });

  test('move the positions only of what a viewer sees change', async () => {
    const { _id } = await comment(bob, sharedProject.projectId);
    const positionsOf = async (who: Person): Promise<readonly number[]> => {
      const page = bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${sharedProject.projectId}/visitor/${who.uid}`)).data;
      return [page.project.position, page.comments.find((view) => view._id === _id)?.position ?? 0];
    };
    const rater = cleo;
    const all = (): Promise<readonly (readonly number[])[]> => Promise.all([rater, bob, ana, uma].map(positionsOf));
    const [[project = 0, own = 0] = []] = await all();
    const disliked = Number((await rate(rater, _id, 'negs')).headers.get('x-position'));
    expect(await all()).toEqual([
      [disliked, disliked],
      [project, disliked],
      [project, own],
      [project, own],
    ]);
    const liked = Number((await rate(rater, _id, 'likes')).headers.get('x-position'));
    expect(await all()).toEqual([rater, bob, ana, uma].map(() => [liked, liked]));
  });

  test('reject rating your own comment (403), an unknown type or a malformed value (400), and a missing comment (404)', async () => {
    const { _id } = await comment(bob, sharedProject.projectId);
    expectRefused(await rate(bob, _id, 'likes'), 'comment.own');
    expect(statusAndCode(await rate(ana, _id, 'hearts'))).toBe('400 request.invalid');
    expect(statusAndCode(await rate(ana, _id, 'likes', 'yes'))).toBe('400 request.invalid');
    expectRefused(await rate(ana, 'nothing', 'likes'), 'comment.not-found');
    expectRefused(await ana.put(`/api/comments/${_id}/rating`, { projectId: 'other', type: 'likes', on: true }), 'comment.not-found');
  });
});

test('lists keep the requested order and leave out comments that the caller cannot see', async () => {
  const [one, two, hidden] = [await comment(ana, sharedProject.projectId), await comment(bob, sharedProject.projectId), await comment(bob, other.projectId)];
  expect((await seen(uma, two._id, hidden._id, 'nothing', one._id, two._id)).map(({ _id }) => _id)).toEqual([two._id, one._id]);
});
