import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MARKER_PATHS } from '@roughmix/contracts/markers/marker.paths.js';
import { PLAY_PATHS } from '@roughmix/contracts/plays/play.paths.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { type Person, startApp, type TestApp } from './testing/app.js';
import { newest, notificationsOf } from './testing/notification-calls.js';
import { analysed, aProjectWith, comment, type CreatedProject, diff, editPermissions, region, todo } from './testing/project-over-http.js';
import { bodyOf, statusAndCode } from './testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let at: CreatedProject & { readonly commentId: string; readonly todoId: string; readonly regionId: string };
/** Of the audio that the browser of the former member has stored. */
let etag: string;

const remove = (who: Person, projectId: string) => editPermissions(ana, projectId, [diff(who.uid, 3, { write: true, removed: true })]);

/** Bob, a collaborator who had everything of a private project, is removed from it; then it is renamed. */
beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  const created = await aProjectWith(ana, { collaborators: [bob] });
  const { projectId, versionId } = created;
  const { _id: regionId } = await region(ana, created);
  const { _id: todoId } = await todo(ana, projectId);
  const { _id: commentId } = await comment(ana, projectId, { content: `Louder, ${mention(bob.username)}` });
  at = { ...created, regionId, todoId, commentId };
  await analysed(bob, versionId);
  await newest(bob, 'CommentTaggedUser', commentId);
  etag = (await bob.raw('GET', `/api/media/${versionId}/audio`)).headers.get('etag') ?? '';
  bodyOf(await remove(bob, projectId));
  bodyOf(await ana.put(`/api/projects/${projectId}`, { submission: { projectName: 'High water' } }));
});
afterAll(() => app.stop());

describe('a former member gets nothing of a private project:', () => {
  test.each<[what: string, path: () => string]>([
    ['its page', () => `/api/projects/${ana.uid}/${at.projectId}`],
    ['its page as a visitor', () => `/api/projects/${at.projectId}/visitor/${bob.uid}`],
    ['its members', () => `/api/users/${bob.uid}/fetchProjectUsers?projectId=${at.projectId}`],
    ['its markers', () => MARKER_PATHS.export({ projectId: at.projectId, versionId: at.versionId, format: 'csv' })],
    ['audio', () => `/api/media/${at.versionId}/audio`],
    ['a download', () => `/api/media/${at.versionId}/download`],
    ['peaks', () => `/api/media/${at.versionId}/peaks?level=0`],
    ['plays', () => PLAY_PATHS.ofVersion(at.versionId)],
  ])('%s', async (_what, path) => {
    expect((await bob.raw('GET', path())).status).toBe(404);
  });

  test('comments, todos, regions and versions are left out of lists', async () => {
    const paths = [`comments/${at.commentId}`, `todos/${at.todoId}`, `regions/${at.regionId}`, `media/${at.versionId}`, `media/lite/${at.versionId}`];
    const lists = await Promise.all(paths.map(async (path) => bodyOf(await bob.get(`/api/${path}`))));
    expect(lists).toEqual([{ comments: [] }, { todos: {} }, { regions: [] }, { versions: [] }, { versions: [] }]);
  });

  test('audio that the browser has stored is not confirmed', async () => {
    const asked = { headers: { 'If-None-Match': etag } };
    const path = `/api/media/${at.versionId}/audio`;
    expect([(await ana.raw('GET', path, asked)).status, (await bob.raw('GET', path, asked)).status]).toEqual([304, 404]);
  });

  test('notifications quote nothing, keep the name that the project had, and lead nowhere', async () => {
    const { notifications } = await notificationsOf(bob);
    const about = notifications.filter(({ parentResourceId }) => parentResourceId === at.projectId);
    expect(about.length).toBeGreaterThan(1);
    expect(about.filter(({ href, parentResourceName }) => href !== null || parentResourceName !== 'Low tide')).toEqual([]);
    expect(about.find(({ type }) => type === 'CommentTaggedUser')).toMatchObject({
      gone: true,
      resourceName: null,
      message: 'Ana Tester mentioned you in Low tide',
    });
    expect(JSON.stringify(notifications)).not.toMatch(/Louder|High water/);
  });
});

test('of the comments that people send while they are being removed, none is added after it', async () => {
  const { projectId } = await aProjectWith(ana, { collaborators: [bob] });
  const send = () => bob.post('/api/comments', { projectId, submission: { content: 'Wait' } });
  const [before, removed, after] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, send)),
    remove(bob, projectId),
    Promise.all(Array.from({ length: 5 }, send)),
  ]);
  const lostAt = Number(removed.headers.get('x-position'));
  const outcomes = [...before, ...after].map((answer) =>
    Number(answer.headers.get('x-position') ?? 0) < lostAt ? statusAndCode(answer) : 'added after the removal',
  );
  expect(outcomes.filter((outcome) => outcome !== '201' && outcome !== '404 project.not-found')).toEqual([]);
  expect(statusAndCode(await send())).toBe('404 project.not-found');
});
