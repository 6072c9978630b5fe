import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewProjectAnswer, ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { CommentAddedAnswer, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { VersionAddedAnswer } from '@roughmix/contracts/versions/version.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, diff, editPermissions, region, smallWav, type CreatedProject, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let created: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  created = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
});
afterAll(() => app.stop());

const key = (name: string): Readonly<Record<string, string>> => ({ 'Idempotency-Key': name });
const addComment = (who: Person, name: string, content = 'x', projectId = created.projectId): Promise<Answer<CommentAddedAnswer>> =>
  who.post('/api/comments', { projectId, submission: { content } }, key(name));
const marks = ({ status, headers }: Answer): readonly unknown[] => [status, headers.get('x-position'), headers.get('idempotent-replayed')];
const create = (who: Person, name: string, projectName = 'x'): Promise<Answer<NewProjectAnswer>> =>
  who.post('/api/projects/newProject', { submission: { projectName } }, key(name));
/** More commands than a project remembers. Sent in rounds, since a slow machine refuses commands that wait for long. */
async function forget(projectId: string): Promise<void> {
  for (let round = 0; round < 13; round += 1) {
    const change = (at: number): Promise<Answer> => ana.put(`/api/projects/${projectId}`, { submission: { description: `Words ${round} ${at}` } });
    for (const answer of await Promise.all(Array.from({ length: 20 }, (_, at) => change(at)))) bodyOf(answer);
  }
}
const commentIds = async (): Promise<readonly string[]> =>
  bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${created.projectId}`)).project.commentIds;

test('a command without a key gets one and returns it', async () => {
  const answer = await ana.post('/api/comments', { projectId: created.projectId, submission: { content: 'x' } });
  expect(answer.headers.get('x-command-id')).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  const keyed = await addComment(ana, 'given-by-me');
  expect(keyed.headers.get('x-command-id')).toBe('given-by-me');
});

test.each(['', ' ', 'a b', 'ä', 'x'.repeat(129), 'a/b'])('the key "%s" is invalid', async (name) => {
  const answer = await ana.post('/api/comments', { projectId: created.projectId, submission: { content: 'x' } }, { 'Idempotency-Key': encodeURI(name) });
  expect(statusAndCode(answer)).toBe('400 request.invalid');
});

test.each(['x', 'x'.repeat(128), 'A-z_09'])('the key "%s" is valid', async (name) => {
  expect(statusAndCode(await addComment(ana, name))).toBe('201');
});

describe('the same command twice', () => {
  test('acts once and returns the same status and position, with the current view', async () => {
    const first = await addComment(ana, 'twice');
    bodyOf(await ana.put(`/api/comments/${first.body.newComment._id}`, { submission: { content: 'edited' } }));
    const second = await addComment(ana, 'twice');
    expect(marks(first)).toEqual([201, expect.any(String), null]);
    expect(marks(second)).toEqual([201, first.headers.get('x-position'), 'true']);
    expect((second.body.newComment as ActiveComment)._id).toBe(first.body.newComment._id);
    expect(second.body.newComment.content).toBe('edited');
    expect((await commentIds()).filter((id) => id === first.body.newComment._id)).toHaveLength(1);
  });

  test('sent fifty times at once acts once', async () => {
    const before = await commentIds();
    const answers = await Promise.all(Array.from({ length: 50 }, () => addComment(bob, 'fifty')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.newComment._id}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(new Set(answers.map(({ headers }) => headers.get('x-position'))).size).toBe(1);
    expect(await commentIds()).toHaveLength(before.length + 1);
  });

  test('with another body is 422, even fifty at once', async () => {
    bodyOf(await addComment(ana, 'other-body', 'one'));
    expectRefused(await addComment(ana, 'other-body', 'two'), 'command.key-reused');
    expectRefused(
      await ana.post('/api/comments', { submission: { content: 'one' }, projectId: created.projectId, user: 'x' }, key('other-body')),
      'command.key-reused',
    );
    const same = await ana.post('/api/comments', { submission: { content: 'one' }, projectId: created.projectId }, key('other-body'));
    expect(marks(same)).toEqual([201, expect.any(String), 'true']);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => addComment(ana, 'fifty-bodies', `Words ${at % 2}`)));
    expect(new Set(answers.map(statusAndCode))).toEqual(new Set(['201', '422 command.key-reused']));
  });

  test('another path with the same key is 422', async () => {
    bodyOf(await addComment(ana, 'other-path'));
    expectRefused(await ana.put(`/api/projects/${created.projectId}`, { submission: { completed: true } }, key('other-path')), 'command.key-reused');
  });

  test('by another user, or in another project, is a different command', async () => {
    const other = await aProjectWith(ana);
    const ids = [await addComment(ana, 'mine'), await addComment(bob, 'mine'), await addComment(ana, 'mine', 'x', other.projectId)].map(
      (answer) => bodyOf(answer).newComment._id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('that was refused or changed nothing is not remembered', async () => {
    expectRefused(await addComment(ana, 'refused', '  '), 'comment.empty');
    expect(statusAndCode(await addComment(ana, 'refused'))).toBe('201');
    const nothing = await ana.put(`/api/projects/${created.projectId}`, { submission: {} }, key('nothing'));
    expect(marks(nothing)).toEqual([200, null, null]);
    expect(statusAndCode(await addComment(ana, 'nothing'))).toBe('201');
  });
});

describe('a new project', () => {
  test('twice creates one; the same key of another user creates another; with another body it is 422', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(ana, 'project')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.newProject._id} ${body.versionId}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(bodyOf(await create(bob, 'project')).newProject._id).not.toBe(answers[0]?.body.newProject._id);
    expectRefused(await create(ana, 'project', 'y'), 'command.key-reused');
  });

  test('that was removed since is 404', async () => {
    const { newProject } = bodyOf(await create(ana, 'removed-since'));
    bodyOf(await ana.post(`/api/projects/removeProject/${newProject._id}`));
    expectRefused(await create(ana, 'removed-since'), 'project.not-found');
  });
});

describe('a removal', () => {
  test.each([
    ['comments', true],
    ['comments', false],
    ['regions', true],
    ['regions', false],
    ['media', true],
    ['media', false],
  ])('of %s repeated is 200, a second one 404 (with projectId: %s)', async (what, isNamed) => {
    const { projectId, versionId } = await aProjectWith(ana);
    const ids: Record<string, () => Promise<string>> = {
      comments: async () => bodyOf(await addComment(ana, 'to-go', 'x', projectId)).newComment._id,
      regions: async () => (await region(ana, { ...created, projectId, versionId }))._id,
      media: () => Promise.resolve(versionId),
    };
    const id = await ids[what]?.();
    const remove = (name: string): Promise<Answer> => ana.post(`/api/${what}/${id}`, isNamed ? { projectId } : {}, key(name));
    const first = await remove('gone');
    expect(marks(first)).toEqual([200, expect.any(String), null]);
    expect(marks(await remove('gone'))).toEqual([200, first.headers.get('x-position'), 'true']);
    expect((await remove('again')).status).toBe(404);
  });

  test('of a project, or leaving one, returns the same when repeated', async () => {
    const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-1`] });
    const leave = (): Promise<Answer> => bob.post(`/api/projects/${projectId}/leave`, {}, key('leave'));
    const left = await leave();
    expect(marks(await leave())).toEqual([204, left.headers.get('x-position'), 'true']);
    const remove = (): Promise<Answer> => ana.post(`/api/projects/removeProject/${projectId}`, {}, key('remove'));
    const gone = await remove();
    const repeated = await remove();
    expect([marks(gone), marks(repeated), repeated.body]).toEqual([
      [200, expect.any(String), null],
      [200, gone.headers.get('x-position'), 'true'],
      { removed: projectId },
    ]);
    expectRefused(await ana.post(`/api/projects/removeProject/${projectId}`, {}, key('remove-again')), 'project.not-found');
  });
});

describe('after more commands than a project remembers', () => {
  let projectId: string;
  let todoId: string;
  const addTodo = (): Promise<Answer<Record<string, unknown>>> => ana.post('/api/todos', { projectId, submission: { content: 'x' } }, key('add'));

  beforeAll(async () => {
    projectId = bodyOf(await create(ana, 'long-ago')).newProject._id;
    const { uploadId } = await upload(ana, smallWav(), { projectId });
    bodyOf(await ana.post('/api/media/newProject', { initialVersion: { projectId, uploadId } }));
    todoId = (bodyOf(await addTodo()).newTodo as { readonly _id: string })._id;
    bodyOf(await ana.put(`/api/todos/${todoId}`, { submission: { content: 'y' } }));
    await forget(projectId);
  });

  test('a new project is recognised forever: its id is derived from its key', async () => {
    const repeated = await create(ana, 'long-ago');
    expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body.newProject._id]).toEqual([201, 'true', projectId]);
    expectRefused(await create(ana, 'long-ago', 'y'), 'command.key-reused');
  });

  test('an added item is not added again by a repeat that comes too late to be recognised', async () => {
    const repeated = await addTodo();
    expect(marks(repeated)).toEqual([201, null, null]);
    expect(repeated.body).toMatchObject({ newTodo: { _id: todoId, content: 'y' }, updatedProject: { todoIds: [todoId] } });
  });
});

test('a user who lost access to the project gets 404, even for a repeated command', async () => {
  const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
  bodyOf(await addComment(bob, 'before', 'x', projectId));
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 3, { removed: true })]));
  expectRefused(await addComment(bob, 'before', 'x', projectId), 'project.not-found');
});

test('a user who lost the right but still sees the project gets the earlier result', async () => {
  const { projectId } = await aProjectWith(ana, { collaborators: [bob] });
  const { uploadId } = await upload(bob, smallWav(), { projectId });
  const add = (): Promise<Answer<VersionAddedAnswer>> => bob.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key('version'));
  const first = await addComment(bob, 'added', 'x', projectId);
  const added = await add();
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 0)]));
  expect(marks(await addComment(bob, 'added', 'x', projectId))).toEqual([201, first.headers.get('x-position'), 'true']);
  expect(marks(await add())).toEqual([201, added.headers.get('x-position'), 'true']);
});

test('one upload used fifty times at once with one key creates one version', async () => {
  const { projectId } = await aProjectWith(ana);
  const { uploadId, versionId } = await upload(ana, smallWav(), { projectId });
  const add = (): Promise<Answer<VersionAddedAnswer>> => ana.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key('version'));
  const answers = await Promise.all(Array.from({ length: 50 }, add));
  expect(new Set(answers.map(statusAndCode))).toEqual(new Set(['201']));
  expect(new Set(answers.map(({ body }) => body.versionId))).toEqual(new Set([versionId]));
  expect(bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`)).project.versionIds).toHaveLength(2);
});

test('one upload used with many keys at once creates one version with an intact file', async () => {
  const { projectId } = await aProjectWith(ana);
  const { uploadId, versionId } = await upload(ana, smallWav(), { projectId });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => ana.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key(`version-${at}`))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map(statusAndCode))).toEqual(new Set(['201', '404 upload.not-found']));
  const audio = await ana.raw('GET', `/api/media/${versionId}/audio`);
  expect([audio.status, (await audio.arrayBuffer()).byteLength]).toEqual([200, smallWav().length]);
});
