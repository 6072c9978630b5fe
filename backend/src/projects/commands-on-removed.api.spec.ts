import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommentAddedAnswer, CommentReplyAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { TagAnswer } from '@roughmix/contracts/regions/tagged-region.view.js';
import type { RegionAddedAnswer } from '@roughmix/contracts/regions/region.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, region, smallWav, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
});
afterAll(() => app.stop());

const key = (name: string): Readonly<Record<string, string>> => ({ 'Idempotency-Key': name });
const addComment = (name: string, projectId: string): Promise<Answer<CommentAddedAnswer>> =>
  ana.post('/api/comments', { projectId, submission: { content: 'x' } }, key(name));

describe('a command repeated after its item was removed', () => {
  /** The parts of a response about a removed item: its id and the removed flag. */
  const shows = ({ status, headers, body }: Answer, name: string): readonly unknown[] => {
    const { _id, removed } = (body as Record<string, { _id: string; removed: boolean }>)[name] ?? {};
    return [status, headers.get('idempotent-replayed'), _id, removed];
  };

  test('returns a comment as removed, after adding, editing, rating or replying', async () => {
    const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
    const { _id } = bodyOf(await addComment('add', projectId)).newComment;
    const edit = (): Promise<Answer> => ana.put(`/api/comments/${_id}`, { submission: { content: 'y' } }, key('edit'));
    const rate = (): Promise<Answer> => bob.put(`/api/comments/${_id}/rating`, { projectId, type: 'likes', on: true }, key('rate'));
    const reply = (): Promise<Answer<CommentReplyAnswer>> => bob.post(`/api/comments/${_id}/reply`, { projectId, submission: { content: 'z' } }, key('reply'));
    expect([(await edit()).status, (await rate()).status]).toEqual([200, 200]);
    const replyId = bodyOf(await reply()).newComment._id;
    for (const [who, id] of [
      [bob, replyId],
      [ana, _id],
    ] as const)
      bodyOf(await who.post(`/api/comments/${id}`, { projectId }));
    expect(shows(await addComment('add', projectId), 'newComment')).toEqual([201, 'true', _id, true]);
    expect(shows(await edit(), 'updatedContent')).toEqual([200, 'true', _id, true]);
    expect(shows(await rate(), 'updatedComment')).toEqual([200, 'true', _id, true]);
    const repeated = await reply();
    expect([shows(repeated, 'newComment'), shows(repeated, 'updatedParentComment')]).toEqual([
      [201, 'true', replyId, true],
      [201, 'true', _id, true],
    ]);
    expectRefused(await ana.put(`/api/comments/${_id}`, { submission: { content: 'z' } }, key('edit')), 'command.key-reused');
    expectRefused(await ana.put(`/api/comments/${_id}`, { submission: { content: 'z' } }), 'comment.not-found');
  });

  test('returns a region as removed, after adding or editing', async () => {
    const { projectId, versionId } = await aProjectWith(ana);
    const add = (): Promise<Answer<RegionAddedAnswer>> => ana.post('/api/regions', { projectId, submission: { versionId, start: 0.1, end: 0.5 } }, key('add'));
    const { _id } = bodyOf(await add()).newRegion;
    const edit = (): Promise<Answer> => ana.put(`/api/regions/${_id}`, { submission: { tag: 'mix' } }, key('edit'));
    expect((await edit()).status).toBe(200);
    bodyOf(await ana.post(`/api/regions/${_id}`, { projectId }));
    expect(shows(await add(), 'newRegion')).toEqual([201, 'true', _id, true]);
    expect(shows(await edit(), 'updatedRegion')).toEqual([200, 'true', _id, true]);
    expectRefused(await ana.put(`/api/regions/${_id}`, { submission: { tag: 'mix' } }), 'region.not-found');
  });

  test('on a tag returns null for the region and the post, after tagging with it, a child or its parent', async () => {
    const { projectId, versionId, project } = await aProjectWith(ana);
    const { _id: parent } = await region(ana, { projectId, versionId, project });
    const { _id: postId } = bodyOf(await addComment('tagged', projectId)).newComment;
    const put = (call: string, name: string, more: object = {}): Promise<Answer<TagAnswer>> =>
      ana.put(`/api/taggedRegions/${call}`, { postId, type: 'comment', ...more }, key(name));
    const calls: readonly (() => Promise<Answer<TagAnswer>>)[] = [
      () => put('insertPostId', 'insert', { regionId: parent }),
      () => put(`appendChildRegionTags/${parent}`, 'append', { child: { end: 1.5 } }),
      () => put(`removeChildRegionTags/${parent}`, 'revert'),
      () => put('removeTaggedRegion', 'untag', { regionId: parent }),
    ];
    for (const send of calls) bodyOf(await send());
    bodyOf(await ana.post(`/api/regions/${parent}`, { projectId }));
    bodyOf(await ana.post(`/api/comments/${postId}`, { projectId }));
    const repeated = await Promise.all(calls.map(async (send) => await send()));
    expect(repeated.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual(calls.map(() => [200, 'true']));
    expect(repeated.map(({ body: { updatedProject: _project, ...body } }) => body)).toEqual([
      { updatedRegion: null },
      { newRegion: null, updatedRegion: null, newContent: null },
      { updatedRegion: null, newContent: null },
      { newContent: null },
    ]);
  });

  test('returns a version as removed', async () => {
    const { projectId } = await aProjectWith(ana);
    const { uploadId, versionId } = await upload(ana, smallWav(), { projectId });
    const add = (): Promise<Answer> => ana.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key('version'));
    expect((await add()).status).toBe(201);
    bodyOf(await ana.post(`/api/media/${versionId}`, { projectId }));
    expect(shows(await add(), 'version')).toEqual([201, 'true', versionId, true]);
  });
});

test('a command on a todo, repeated after it was removed, returns null after adding, replying, editing or completing', async () => {
  const { projectId } = await aProjectWith(ana);
  const add = (): Promise<Answer<Record<string, unknown>>> => ana.post('/api/todos', { projectId, submission: { content: 'x' } }, key('add'));
  const { _id } = bodyOf(await add()).newTodo as { readonly _id: string };
  const answers: readonly (typeof add)[] = [
    add,
    () => ana.post(`/api/todos/${_id}`, { projectId, submission: { content: 'y' } }, key('reply')),
    () => ana.put(`/api/todos/${_id}`, { submission: { content: 'z' } }, key('edit')),
    () => ana.put(`/api/todos/markComplete/${_id}`, {}, key('complete')),
    () => ana.post(`/api/todos/${_id}/remove`, {}, key('remove')),
  ];
  for (const send of answers) await send();
  const repeated = await Promise.all(answers.map(async (send) => await send()));
  expect(repeated.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
    [201, 'true'],
    [201, 'true'],
    [200, 'true'],
    [200, 'true'],
    [200, 'true'],
  ]);
  expect(repeated.map(({ body: { updatedProject: _project, ...body } }) => body)).toEqual([
    { newTodo: null, oldTodo: null },
    { newTodo: null, updatedParentTodo: null },
    { updatedTodo: null },
    { completedTodos: { [_id]: null } },
    { updatedParentTodo: null },
  ]);
  expectRefused(await ana.post(`/api/todos/${_id}/remove`, {}, key('remove-again')), 'todo.not-found');
});
