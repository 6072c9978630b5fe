import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewProjectAnswer, ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { CommentAddedAnswer, StandingComment } from '@roughmix/contracts/comments/comment.view.js';
import type { VersionAddedAnswer } from '@roughmix/contracts/versions/version.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, diff, editPermissions, region, smallWav, type StandingProject, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, wordOf } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let standing: StandingProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  standing = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
});
afterAll(() => app.stop());

const key = (name: string): Readonly<Record<string, string>> => ({ 'Idempotency-Key': name });
const say = (who: Person, name: string, content = 'x', projectId = standing.projectId): Promise<Answer<CommentAddedAnswer>> =>
  who.post('/api/comments', { projectId, submission: { content } }, key(name));
const marks = ({ status, headers }: Answer): readonly unknown[] => [status, headers.get('x-position'), headers.get('idempotent-replayed')];
const commentIds = async (): Promise<readonly string[]> =>
  bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${standing.projectId}`)).project.commentIds;

test('a command without a key gets one, and says it', async () => {
  const answer = await ana.post('/api/comments', { projectId: standing.projectId, submission: { content: 'x' } });
  expect(answer.headers.get('x-command-id')).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  const keyed = await say(ana, 'said-by-me');
  expect(keyed.headers.get('x-command-id')).toBe('said-by-me');
});

test.each(['', ' ', 'a b', 'ä', 'x'.repeat(129), 'a/b'])('the key "%s" is none', async (name) => {
  const answer = await ana.post('/api/comments', { projectId: standing.projectId, submission: { content: 'x' } }, { 'Idempotency-Key': encodeURI(name) });
  expect(wordOf(answer)).toBe('400 request.invalid');
});

test.each(['x', 'x'.repeat(128), 'A-z_09'])('the key "%s" is one', async (name) => {
  expect(wordOf(await say(ana, name))).toBe('201');
});

describe('the same command twice', () => {
  test('acts once and answers the same, with the view of today', async () => {
    const first = await say(ana, 'twice');
    bodyOf(await ana.put(`/api/comments/${first.body.newComment._id}`, { submission: { content: 'edited' } }));
    const second = await say(ana, 'twice');
    expect(marks(first)).toEqual([201, expect.any(String), null]);
    expect(marks(second)).toEqual([201, first.headers.get('x-position'), 'true']);
    expect((second.body.newComment as StandingComment)._id).toBe(first.body.newComment._id);
    expect(second.body.newComment.content).toBe('edited');
    expect((await commentIds()).filter((id) => id === first.body.newComment._id)).toHaveLength(1);
  });

  test('fifty at once act once', async () => {
    const before = await commentIds();
    const answers = await Promise.all(Array.from({ length: 50 }, () => say(bob, 'fifty')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.newComment._id}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(new Set(answers.map(({ headers }) => headers.get('x-position'))).size).toBe(1);
    expect(await commentIds()).toHaveLength(before.length + 1);
  });

  test('with another body is 422, also fifty at once', async () => {
    bodyOf(await say(ana, 'other-body', 'one'));
    expectRefused(await say(ana, 'other-body', 'two'), 'command.key-reused');
    expectRefused(
      await ana.post('/api/comments', { submission: { content: 'one' }, projectId: standing.projectId, user: 'x' }, key('other-body')),
      'command.key-reused',
    );
    const same = await ana.post('/api/comments', { submission: { content: 'one' }, projectId: standing.projectId }, key('other-body'));
    expect(marks(same)).toEqual([201, expect.any(String), 'true']);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => say(ana, 'fifty-bodies', `Words ${at % 2}`)));
    expect(new Set(answers.map(wordOf))).toEqual(new Set(['201', '422 command.key-reused']));
  });

  test('another path with the same key is 422', async () => {
    bodyOf(await say(ana, 'other-path'));
    expectRefused(await ana.put(`/api/projects/${standing.projectId}`, { submission: { completed: true } }, key('other-path')), 'command.key-reused');
  });

  test('by another person, or in another project, is another command', async () => {
    const other = await aProjectWith(ana);
    const ids = [await say(ana, 'mine'), await say(bob, 'mine'), await say(ana, 'mine', 'x', other.projectId)].map((answer) => bodyOf(answer).newComment._id);
    expect(new Set(ids).size).toBe(3);
  });

  test('that was refused, or did nothing, is not remembered', async () => {
    expectRefused(await say(ana, 'refused', '  '), 'comment.empty');
    expect(wordOf(await say(ana, 'refused'))).toBe('201');
    const nothing = await ana.put(`/api/projects/${standing.projectId}`, { submission: {} }, key('nothing'));
    expect(marks(nothing)).toEqual([200, null, null]);
    expect(wordOf(await say(ana, 'nothing'))).toBe('201');
  });
});

describe('a new project', () => {
  const create = (who: Person, name: string, projectName = 'x'): Promise<Answer<NewProjectAnswer>> =>
    who.post('/api/projects/newProject', { submission: { projectName } }, key(name));

  test('twice is one; by somebody else another; with another body 422', async () => {
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
  test.each(['comments', 'regions', 'media'])('of %s repeated is 200, a second one 404', async (what) => {
    const { projectId, versionId } = await aProjectWith(ana);
    const ids: Record<string, () => Promise<string>> = {
      comments: async () => bodyOf(await say(ana, 'to-go', 'x', projectId)).newComment._id,
      regions: async () => (await region(ana, { ...standing, projectId, versionId }))._id,
      media: () => Promise.resolve(versionId),
    };
    const id = await ids[what]?.();
    const remove = (name: string): Promise<Answer> => ana.post(`/api/${what}/${id}`, { projectId }, key(name));
    const first = await remove('gone');
    expect(marks(first)).toEqual([200, expect.any(String), null]);
    expect(marks(await remove('gone'))).toEqual([200, first.headers.get('x-position'), 'true']);
    expect((await remove('again')).status).toBe(404);
  });

  test('of a project, and leaving one, repeated is the same answer', async () => {
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

test('who lost the project gets 404, also for what they did before', async () => {
  const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
  bodyOf(await say(bob, 'before', 'x', projectId));
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 3, { removed: true })]));
  expectRefused(await say(bob, 'before', 'x', projectId), 'project.not-found');
});

test('who lost the right but sees the project still gets what they did before', async () => {
  const { projectId } = await aProjectWith(ana, { collaborators: [bob] });
  const { uploadId } = await upload(bob, smallWav(), { projectId });
  const add = (): Promise<Answer<VersionAddedAnswer>> => bob.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key('version'));
  const said = await say(bob, 'said', 'x', projectId);
  const added = await add();
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 0)]));
  expect(marks(await say(bob, 'said', 'x', projectId))).toEqual([201, said.headers.get('x-position'), 'true']);
  expect(marks(await add())).toEqual([201, added.headers.get('x-position'), 'true']);
});

test('one upload taken fifty times at once with one key is one version', async () => {
  const { projectId } = await aProjectWith(ana);
  const { uploadId, versionId } = await upload(ana, smallWav(), { projectId });
  const add = (): Promise<Answer<VersionAddedAnswer>> => ana.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key('version'));
  const answers = await Promise.all(Array.from({ length: 50 }, add));
  expect(new Set(answers.map(wordOf))).toEqual(new Set(['201']));
  expect(new Set(answers.map(({ body }) => body.versionId))).toEqual(new Set([versionId]));
  expect(bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`)).project.versionIds).toHaveLength(2);
});

test('one upload taken with many keys at once is one version, its file whole', async () => {
  const { projectId } = await aProjectWith(ana);
  const { uploadId, versionId } = await upload(ana, smallWav(), { projectId });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => ana.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }, key(`version-${at}`))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map(wordOf))).toEqual(new Set(['201', '404 upload.not-found']));
  const audio = await ana.raw('GET', `/api/media/${versionId}/audio`);
  expect([audio.status, (await audio.arrayBuffer()).byteLength]).toEqual([200, smallWav().length]);
});
