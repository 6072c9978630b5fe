import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewCollectionAnswer } from '@roughmix/contracts/collections/collection.view.js';
import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import type { PhotoAnswer, SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import sharp from 'sharp';
import { PASSWORD, type Person, startApp, type TestApp } from './testing/app.js';
import { announce, aProjectWith, comment, region, smallWav, todo, type CreatedProject, upload } from './testing/project-over-http.js';
import { type Answer, bodyOf, type Method, statusAndCode, type TestClient } from './testing/test-client.js';

/** Strangers cannot find out what exists: responses about existing and nonexistent things are byte for byte the same, except for the URL. */
let app: TestApp;
let ana: Person;
let eve: Person;
let privateProject: CreatedProject;
let ownProject: CreatedProject;
let commentId: string;
let todoId: string;
let regionId: string;
let ownCommentId: string;
let uploadId: string;
let collectionId: string;
let sessionId: string;
let photoUploadId: string;
let replacedImage: string;

beforeAll(async () => {
  app = await startApp({ THROTTLE_ADDRESS_PASSWORDS: '1000' });
  [ana, eve] = await app.people('Ana', 'Eve');
  privateProject = await aProjectWith(ana);
  ownProject = await aProjectWith(eve);
  ({ _id: commentId } = await comment(ana, privateProject.projectId));
  ({ _id: ownCommentId } = await comment(eve, ownProject.projectId));
  ({ _id: todoId } = await todo(ana, privateProject.projectId));
  ({ _id: regionId } = await region(ana, privateProject));
  collectionId = bodyOf(await ana.post<NewCollectionAnswer>(`/api/collections/${ana.uid}`, { submission: { title: 'Album' } })).newCollection?._id ?? '';
  sessionId = bodyOf(await ana.get<SessionsAnswer>('/api/auth/sessions')).sessions[0]?._id ?? '';
  ({ uploadId } = await upload(ana, smallWav(), { projectId: privateProject.projectId }));
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  ({ uploadId: photoUploadId } = await upload(ana, bytes, { purpose: 'profile-photo' }));
  const replaced = await upload(ana, bytes, { purpose: 'profile-photo' });
  const { smallPhoto } = bodyOf(await ana.put<PhotoAnswer>(`/api/users/${ana.uid}/photo`, { uploadId: replaced.uploadId }));
  replacedImage = smallPhoto.slice(smallPhoto.lastIndexOf('/') + 1);
  bodyOf(await ana.delete(`/api/users/${ana.uid}/photo`));
});
afterAll(() => app.stop());

const VARYING_HEADERS = ['date', 'x-command-id', 'x-request-id', 'content-length'];

/** A response without what differs between any two requests. */
function comparable({ status, headers, body }: Answer): unknown {
  const { instance: _instance, ...rest } = body as { instance?: string };
  return { status, headers: [...headers].filter(([name]) => !VARYING_HEADERS.includes(name)), body: rest };
}

/** Unused ids of the right form, and malformed ids. */
const UNUSED = ['abcdefghijklmnopqrstuvwxyz0123', 'x', 'a-b', '__proto__', 'constructor', '%00', "';--", 'ä'.repeat(40)];

type Query = readonly [method: Method, path: (id: string) => string, body: (id: string) => object | undefined, id: () => string];
const nothing = (): undefined => undefined;
const ownText = { submission: { content: 'x' } };

async function expectAlike(...[method, path, body, id]: Query): Promise<void> {
  const ask = async (someId: string): Promise<unknown> => {
    const given = body(someId);
    return comparable(await eve.call(method, path(someId), given === undefined ? {} : { body: given }));
  };
  const existing = await ask(id());
  expect(existing).toMatchObject({ status: 404 });
  for (const unused of UNUSED) expect([unused, await ask(unused)]).toEqual([unused, existing]);
}

test.each<Query>([
  ['PUT', () => `/api/users/${eve.uid}/photo`, (id) => ({ uploadId: id }), () => photoUploadId],
  ['PUT', () => `/api/users/${eve.uid}/cover`, (id) => ({ uploadId: id }), () => photoUploadId],
  ['GET', (id) => `/api/users/${ana.uid}/images/${id}`, nothing, () => replacedImage],
])('a stranger cannot use or find pictures of others: %s %s', expectAlike);

describe('a stranger gets the same response for existing and for nonexistent things', () => {
  test.each<Query>([
    ['GET', (id) => `/api/projects/${ana.uid}/${id}`, nothing, () => privateProject.projectId],
    ['GET', (id) => `/api/projects/${id}/visitor/${eve.uid}`, nothing, () => privateProject.projectId],
    ['GET', (id) => `/api/users/${eve.uid}/fetchProjectUsers?projectId=${id}`, nothing, () => privateProject.projectId],
    ['PUT', (id) => `/api/projects/${id}`, () => ({ submission: { description: 'x' } }), () => privateProject.projectId],
    ['PUT', (id) => `/api/projects/${eve.uid}/inviteUsers/${id}`, () => ({ invitedUsers: [ana.uid] }), () => privateProject.projectId],
    ['PUT', (id) => `/api/projects/${eve.uid}/editPermissions/${id}`, () => ({ permissionDiffs: [] }), () => privateProject.projectId],
    ['POST', (id) => `/api/projects/removeProject/${id}`, () => ({}), () => privateProject.projectId],
    ['POST', (id) => `/api/projects/${id}/leave`, () => ({}), () => privateProject.projectId],
    ['POST', (id) => `/api/projects/${id}/takeOver`, () => ({}), () => privateProject.projectId],
    ['PUT', (id) => `/api/collections/removeProject/${id}`, () => ({}), () => privateProject.projectId],
    ['PUT', (id) => `/api/collections/${eve.uid}/${id}`, () => ({ title: 'x' }), () => collectionId],
    ['POST', (id) => `/api/collections/${eve.uid}/${id}`, () => ({}), () => collectionId],
    ['GET', (id) => `/api/projects/${id}/markers?versionId=x&format=csv`, nothing, () => privateProject.projectId],
    ['GET', (id) => `/api/projects/${ownProject.projectId}/markers?versionId=${id}&format=csv`, nothing, () => privateProject.versionId],
    ['GET', (id) => `/api/media/${id}/audio`, nothing, () => privateProject.versionId],
    ['GET', (id) => `/api/media/${id}/peaks`, nothing, () => privateProject.versionId],
    ['GET', (id) => `/api/media/${id}/download`, nothing, () => privateProject.versionId],
    ['POST', (id) => `/api/media/${id}`, () => ({ projectId: ownProject.projectId }), () => privateProject.versionId],
    ['PUT', (id) => `/api/media/${id}`, () => ({ projectId: ownProject.projectId }), () => privateProject.versionId],
    ['GET', (id) => `/api/comments/${id}/image`, nothing, () => commentId],
    ['PUT', (id) => `/api/comments/${id}`, () => ownText, () => commentId],
    ['PUT', (id) => `/api/comments/${id}/rating`, () => ({ type: 'likes', on: true }), () => commentId],
    ['POST', (id) => `/api/comments/${id}`, () => ({ projectId: ownProject.projectId }), () => commentId],
    ['POST', (id) => `/api/comments/${id}/reply`, () => ({ projectId: ownProject.projectId, ...ownText }), () => commentId],
    ['PUT', (id) => `/api/todos/${id}`, () => ownText, () => todoId],
    ['PUT', (id) => `/api/todos/markComplete/${id}`, () => ({}), () => todoId],
    ['POST', (id) => `/api/todos/${id}/remove`, () => ({}), () => todoId],
    ['POST', (id) => `/api/todos/${id}`, () => ({ projectId: ownProject.projectId, ...ownText }), () => todoId],
    ['PUT', (id) => `/api/regions/${id}`, () => ({ submission: { end: 1 } }), () => regionId],
    ['POST', (id) => `/api/regions/${id}`, () => ({ projectId: ownProject.projectId }), () => regionId],
    ['PUT', () => '/api/taggedRegions/insertPostId', (id) => ({ postId: id, type: 'comment', regionId }), () => commentId],
    ['PUT', () => '/api/taggedRegions/insertPostId', (id) => ({ postId: ownCommentId, type: 'comment', regionId: id }), () => regionId],
    ['PUT', (id) => `/api/taggedRegions/appendChildRegionTags/${id}`, () => ({ postId: ownCommentId, type: 'comment', child: { end: 1 } }), () => regionId],
    ['PUT', (id) => `/api/taggedRegions/removeChildRegionTags/${id}`, () => ({ postId: ownCommentId, type: 'comment' }), () => regionId],
    ['DELETE', (id) => `/api/auth/sessions/${id}`, nothing, () => sessionId],
  ])('%s %s', expectAlike);

  test.each<[what: string, ask: (id: string) => Promise<Answer>, id: () => string]>([
    ['a project named in a body', (projectId) => eve.post('/api/comments', { projectId, ...ownText }), () => privateProject.projectId],
    ['a project to upload to', (projectId) => announce(eve, { projectId }), () => privateProject.projectId],
    [
      "another user's upload",
      (id) => eve.post('/api/media', { submission: { projectId: ownProject.projectId, uploadId: id, tinySummary: 'x' } }),
      () => uploadId,
    ],
    [
      'a version to draw on',
      (versionId) => eve.post('/api/regions', { projectId: ownProject.projectId, submission: { versionId, start: 0, end: 1 } }),
      () => privateProject.versionId,
    ],
    [
      'a version to stamp',
      (versionId) => eve.post('/api/comments', { projectId: ownProject.projectId, submission: { content: 'x', stamp: { versionId, at: 0 } } }),
      () => privateProject.versionId,
    ],
    [
      'a region to tag',
      (id) => eve.post('/api/comments', { projectId: ownProject.projectId, submission: { content: 'x', taggedRegions: [{ _id: id }] } }),
      () => regionId,
    ],
    ['a project to collect', (id) => eve.post(`/api/collections/${eve.uid}`, { submission: { title: 'x', projects: [id] } }), () => privateProject.projectId],
    ['a user to invite', (uid) => eve.put(`/api/projects/${eve.uid}/inviteUsers/${ownProject.projectId}`, { invitedUsers: [`${uid}-0`] }), () => app.adminKey],
  ])('%s', async (_what, ask, id) => {
    const existing = comparable(await ask(id()));
    expect((existing as { status: number }).status).toBeGreaterThanOrEqual(400);
    expect(comparable(await ask('abcdefghijklmnopqrstuvwxyz0123'))).toEqual(existing);
  });
});

test('lists leave out items without access and keep the rest', async () => {
  const { versions } = bodyOf(await eve.get<{ versions: { _id: string }[] }>(`/api/media/${privateProject.versionId},${ownProject.versionId},nothing`));
  expect(versions.map(({ _id }) => _id)).toEqual([ownProject.versionId]);
  expect((await eve.get(`/api/comments/${commentId},nothing`)).body).toEqual({ comments: [] });
  expect((await eve.get(`/api/todos/${todoId},nothing`)).body).toEqual({ todos: {} });
  expect((await eve.get(`/api/completedTodos/${todoId}`)).body).toEqual({ todos: {} });
  expect((await eve.get(`/api/regions/${regionId}`)).body).toEqual({ regions: [] });
});

test('visiting a page does not reveal which projects exist, or whose they are', async () => {
  const visit = async (who: TestClient, href: string): Promise<unknown> => comparable(await who.post('/api/auth/visit', { href }));
  for (const [who, access] of [
    [eve, 'denied'],
    [app.anonymous, 'login'],
  ] as const) {
    const existing = await visit(who, `/projects/${privateProject.projectId}`);
    expect(existing).toMatchObject({ status: 200, body: { access } });
    for (const path of [`/ana-tester/projects/${privateProject.projectId}`, ...UNUSED.map((id) => `/projects/${encodeURIComponent(id)}`)])
      expect([path, await visit(who, path)]).toEqual([path, existing]);
  }
});

test('an invite request does not reveal who has an account, who asked already, or who was declined', async () => {
  const ask = (email: string): Promise<Answer> => app.anonymous.post('/api/inviteRequests', { email });
  const unknown = await ask('nobody@example.org');
  expect(statusAndCode(unknown)).toBe('202');
  for (const email of ['ana.tester@example.org', 'nobody@example.org', 'Nobody@Example.org '])
    expect(comparable(await ask(email))).toEqual(comparable(unknown));
});

test('with PASSWORD_RESET_DISCREET a password reset does not reveal who has an account, nor do its links', async () => {
  const discreet = await startApp({ PASSWORD_RESET_DISCREET: 'true', THROTTLE_RESET_MISSES: '1000' });
  await discreet.person('Ana');
  const ask = async (email: string): Promise<unknown> => comparable(await discreet.anonymous.post('/api/auth/passwordReset', { email }));
  const known = await ask('ana.tester@example.org');
  expect(known).toMatchObject({ status: 200 });
  for (const email of ['nobody@example.org', '', 'x', `${'a'.repeat(200)}@example.org`]) expect(await ask(email)).toEqual(known);
  // The fourth request of an hour sends no e-mail.
  for (let times = 0; times < 3; times += 1) expect(await ask('ana.tester@example.org')).toEqual(known);
  const open = async (token: string): Promise<unknown> => comparable(await discreet.anonymous.post(`/api/auth/invite/${token}`, {}));
  for (const unused of UNUSED) expect(await open(unused)).toEqual(await open('x'));
  await discreet.stop();
});

test('unsubscribing does not reveal which endpoints get push messages', async () => {
  const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
  const endpoint = 'https://push.example.org/send/1';
  bodyOf(await ana.post(PUSH_PATHS.subscriptions, { endpoint, keys }));
  const unsubscribe = async (from: string): Promise<unknown> => comparable(await eve.call('DELETE', PUSH_PATHS.subscriptions, { body: { endpoint: from } }));
  expect(await unsubscribe(endpoint)).toEqual(await unsubscribe(`${endpoint}0`));
});

test('signing in does not reveal who has an account', async () => {
  const wrong = (email: string): Promise<Answer> => app.anonymous.post('/api/auth/login', { email, password: 'not-the-right-one' });
  const known = await wrong('ana.tester@example.org');
  expect(statusAndCode(known)).toBe('401 auth.failed');
  for (const email of ['nobody@example.org', '', 'x', `${'a'.repeat(200)}@example.org`]) expect(comparable(await wrong(email))).toEqual(comparable(known));
  expect(bodyOf(await app.anonymous.post('/api/auth/login', { email: 'ana.tester@example.org', password: PASSWORD }))).toBeDefined();
});
