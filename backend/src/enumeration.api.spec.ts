import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PASSWORD, type Person, startApp, type TestApp } from './testing/app.js';
import { announce, aProjectWith, comment, region, smallWav, type CreatedProject, upload } from './testing/project-over-http.js';
import { type Answer, bodyOf, type Method, statusAndCode } from './testing/test-client.js';

/** What a stranger learns of things that are there and of things that never were: the same, to the octet, but for the address they asked. */
let app: TestApp;
let ana: Person;
let eve: Person;
let closed: CreatedProject;
let own: CreatedProject;
let commentId: string;
let regionId: string;
let uploadId: string;

beforeAll(async () => {
  app = await startApp({ THROTTLE_ADDRESS_PASSWORDS: '1000' });
  [ana, eve] = await app.people('Ana', 'Eve');
  closed = await aProjectWith(ana);
  own = await aProjectWith(eve);
  ({ _id: commentId } = await comment(ana, closed.projectId));
  ({ _id: regionId } = await region(ana, closed));
  ({ uploadId } = await upload(ana, smallWav(), { projectId: closed.projectId }));
});
afterAll(() => app.stop());

const TECHNICAL = ['date', 'x-command-id', 'x-request-id', 'content-length'];

/** Everything that an answer says, but where and when it was asked. */
function said({ status, headers, body }: Answer): unknown {
  const { instance: _where, ...rest } = body as { instance?: string };
  return { status, headers: [...headers].filter(([name]) => !TECHNICAL.includes(name)), body: rest };
}

/** Ids of the right form that nothing has, and ids of no form at all. */
const NEVER = ['abcdefghijklmnopqrstuvwxyz0123', 'x', 'a-b', '__proto__', 'constructor', '%00', "';--", 'ä'.repeat(40)];

type Asked = readonly [method: Method, path: (id: string) => string, body: (id: string) => object | undefined, id: () => string];
const nothing = (): undefined => undefined;
const ofMine = { submission: { content: 'x' } };

describe('of what is not theirs a stranger hears the same as of what never was', () => {
  test.each<Asked>([
    ['GET', (id) => `/api/projects/${ana.uid}/${id}`, nothing, () => closed.projectId],
    ['GET', (id) => `/api/projects/${id}/visitor/${eve.uid}`, nothing, () => closed.projectId],
    ['GET', (id) => `/api/users/${eve.uid}/fetchProjectUsers?projectId=${id}`, nothing, () => closed.projectId],
    ['PUT', (id) => `/api/projects/${id}`, () => ({ submission: { description: 'x' } }), () => closed.projectId],
    ['PUT', (id) => `/api/projects/${eve.uid}/inviteUsers/${id}`, () => ({ invitedUsers: [ana.uid] }), () => closed.projectId],
    ['PUT', (id) => `/api/projects/${eve.uid}/editPermissions/${id}`, () => ({ permissionDiffs: [] }), () => closed.projectId],
    ['POST', (id) => `/api/projects/removeProject/${id}`, () => ({}), () => closed.projectId],
    ['POST', (id) => `/api/projects/${id}/leave`, () => ({}), () => closed.projectId],
    ['POST', (id) => `/api/projects/${id}/takeOver`, () => ({}), () => closed.projectId],
    ['GET', (id) => `/api/media/${id}/audio`, nothing, () => closed.versionId],
    ['GET', (id) => `/api/media/${id}/peaks`, nothing, () => closed.versionId],
    ['GET', (id) => `/api/media/${id}/download`, nothing, () => closed.versionId],
    ['POST', (id) => `/api/media/${id}`, () => ({ projectId: own.projectId }), () => closed.versionId],
    ['PUT', (id) => `/api/media/${id}`, () => ({ projectId: own.projectId }), () => closed.versionId],
    ['GET', (id) => `/api/comments/${id}/image`, nothing, () => commentId],
    ['PUT', (id) => `/api/comments/${id}`, () => ofMine, () => commentId],
    ['PUT', (id) => `/api/comments/${id}/rating`, () => ({ type: 'likes', on: true }), () => commentId],
    ['POST', (id) => `/api/comments/${id}`, () => ({ projectId: own.projectId }), () => commentId],
    ['POST', (id) => `/api/comments/${id}/reply`, () => ({ projectId: own.projectId, ...ofMine }), () => commentId],
    ['PUT', (id) => `/api/regions/${id}`, () => ({ submission: { end: 1 } }), () => regionId],
    ['POST', (id) => `/api/regions/${id}`, () => ({ projectId: own.projectId }), () => regionId],
  ])('%s %s', async (method, path, body, id) => {
    const ask = async (asked: string): Promise<unknown> => {
      const given = body(asked);
      return said(await eve.call(method, path(asked), given === undefined ? {} : { body: given }));
    };
    const theirs = await ask(id());
    expect(theirs).toMatchObject({ status: 404 });
    for (const never of NEVER) expect([never, await ask(never)]).toEqual([never, theirs]);
  });

  test.each<[what: string, ask: (id: string) => Promise<Answer>, id: () => string]>([
    ['a project named in a body', (projectId) => eve.post('/api/comments', { projectId, ...ofMine }), () => closed.projectId],
    ['a project to upload to', (projectId) => announce(eve, { projectId }), () => closed.projectId],
    ['an upload of another', (id) => eve.post('/api/media', { submission: { projectId: own.projectId, uploadId: id, tinySummary: 'x' } }), () => uploadId],
    [
      'a version to draw on',
      (versionId) => eve.post('/api/regions', { projectId: own.projectId, submission: { versionId, start: 0, end: 1 } }),
      () => closed.versionId,
    ],
    [
      'a version to stamp',
      (versionId) => eve.post('/api/comments', { projectId: own.projectId, submission: { content: 'x', stamp: { versionId, at: 0 } } }),
      () => closed.versionId,
    ],
    [
      'a region to tag',
      (id) => eve.post('/api/comments', { projectId: own.projectId, submission: { content: 'x', taggedRegions: [{ _id: id }] } }),
      () => regionId,
    ],
    ['somebody to invite', (uid) => eve.put(`/api/projects/${eve.uid}/inviteUsers/${own.projectId}`, { invitedUsers: [`${uid}-0`] }), () => app.adminKey],
  ])('%s', async (_what, ask, id) => {
    const theirs = said(await ask(id()));
    expect((theirs as { status: number }).status).toBeGreaterThanOrEqual(400);
    expect(said(await ask('abcdefghijklmnopqrstuvwxyz0123'))).toEqual(theirs);
  });
});

test('lists leave out what is not theirs, between what is', async () => {
  const { versions } = bodyOf(await eve.get<{ versions: { _id: string }[] }>(`/api/media/${closed.versionId},${own.versionId},nothing`));
  expect(versions.map(({ _id }) => _id)).toEqual([own.versionId]);
  expect((await eve.get(`/api/comments/${commentId},nothing`)).body).toEqual({ comments: [] });
  expect((await eve.get(`/api/regions/${regionId}`)).body).toEqual({ regions: [] });
});

test('who has an account is told neither by signing in nor by a face', async () => {
  const wrong = (email: string): Promise<Answer> => app.anonymous.post('/api/auth/login', { email, password: 'not-the-right-one' });
  const known = await wrong('ana.tester@example.org');
  expect(statusAndCode(known)).toBe('401 auth.failed');
  for (const email of ['nobody@example.org', '', 'x', `${'a'.repeat(200)}@example.org`]) expect(said(await wrong(email))).toEqual(said(known));
  expect(bodyOf(await app.anonymous.post('/api/auth/login', { email: 'ana.tester@example.org', password: PASSWORD }))).toBeDefined();
});
