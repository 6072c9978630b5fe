import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommentAddedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { QuotaView } from '@roughmix/contracts/quotas/quota.view.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import sharp from 'sharp';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, analysed, announce, aProjectWith, createProject, comment, putBytes, smallWav, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, statusAndCode } from '../testing/test-client.js';

const SIZE = smallWav().length;
const quotaOf = async (who: Person): Promise<QuotaView | null | undefined> => bodyOf(await who.get<SessionAnswer>('/api/auth/session')).quota;
const bytesOf = async (who: Person): Promise<number | undefined> => (await quotaOf(who))?.bytes.used;
const use = (who: Person, projectId: string, { uploadId }: { readonly uploadId: string }): Promise<Answer> =>
  who.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'Next' } });
const problemOf = ({ status, body }: Answer): unknown => {
  const { code, limit, detail } = body as { code?: string; limit?: number; detail?: string };
  return { status, code, limit, detail };
};

describe('the quota in the session', () => {
  let app: TestApp;
  let ana: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await startApp();
    [ana, bob] = await app.people('Ana', 'Bob');
  });
  afterAll(() => app.stop());

  test('starts empty with the default limits, also for members who uploaded nothing; the guest has none, and login does not tell', async () => {
    await aProjectWith(ana, { collaborators: [bob] });
    expect(await quotaOf(bob)).toEqual({ bytes: { used: 0, limit: 20_000_000_000 }, projects: { used: 0, limit: 1_000 }, versionsPerProject: 200 });
    expect(await quotaOf(await app.guest())).toBeNull();
    expect(Object.keys(bodyOf(await app.anonymous.post<SessionAnswer>('/api/auth/guest')))).toEqual(['user', 'staffRole']);
  });

  test('counts files for who uploaded them, and projects for their owner', async () => {
    const [cleo, dan] = await app.people('Cleo', 'Dan');
    const { projectId } = await aProjectWith(cleo, { collaborators: [dan] });
    await addVersion(dan, projectId);
    expect([await quotaOf(cleo), await quotaOf(dan)]).toMatchObject([
      { bytes: { used: SIZE }, projects: { used: 1 } },
      { bytes: { used: SIZE }, projects: { used: 0 } },
    ]);
  });

  test('counts the stored image of a comment', async () => {
    const [eve] = await app.people('Eve');
    const { projectId } = await aProjectWith(eve);
    const { newComment } = bodyOf(
      await eve.post<CommentAddedAnswer>('/api/comments', { projectId, submission: { type: 'image', content: { filename: 'a.png' } } }),
    );
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
    const { uploadId } = await upload(eve, bytes, { projectId, purpose: 'comment-image', commentId: newComment._id, filename: 'a.png' });
    bodyOf(await eve.put(`/api/comments/${newComment._id}`, { projectId, submission: { content: { uploadId } } }));
    const image = await eve.raw('GET', `/api/comments/${newComment._id}/image`);
    expect(await bytesOf(eve)).toBe(SIZE + (await image.arrayBuffer()).byteLength);
  });

  test('counts removed files while the trash keeps them, and not the removed project', async () => {
    const [fay] = await app.people('Fay');
    const { projectId } = await aProjectWith(fay);
    const second = await addVersion(fay, projectId);
    bodyOf(await fay.post(`/api/media/${second._id}`, { projectId }));
    expect(await quotaOf(fay)).toMatchObject({ bytes: { used: 2 * SIZE }, projects: { used: 1 } });
    bodyOf(await fay.post(`/api/projects/removeProject/${projectId}`));
    expect(await quotaOf(fay)).toMatchObject({ bytes: { used: 2 * SIZE }, projects: { used: 0 } });
  });

  test('does not count refused uploads or the tutorial', async () => {
    const [gil] = await app.people('Gil');
    const { projectId } = await aProjectWith(gil);
    const { uploadId } = await upload(gil, new TextEncoder().encode('no audio at all'), { projectId });
    expect((await gil.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } })).status).toBe(400);
    bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/initializeContent`, { uid: gil.uid }));
    expect(await quotaOf(gil)).toMatchObject({ bytes: { used: SIZE }, projects: { used: 1 } });
  });
});

test('without a trash, removed files stop counting at once', async () => {
  const app = await startApp({ TRASH_DAYS: '0' });
  const [ana] = await app.people('Ana');
  const { projectId, versionId } = await aProjectWith(ana);
  expect(await bytesOf(ana)).toBe(SIZE);
  bodyOf(await ana.post(`/api/media/${versionId}`, { projectId }));
  expect(await bytesOf(ana)).toBe(0);
  await app.stop();
});

describe('over its quota', () => {
  const LIMIT = 2 * SIZE;
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ QUOTA_BYTES: String(LIMIT), QUOTA_PROJECTS: '2', QUOTA_VERSIONS: '3', AUDIO_LIMIT: '5000000' });
  });
  afterAll(() => app.stop());
  const bytesRefused = { status: 409, code: 'quota.bytes', limit: LIMIT, detail: `Your files can take up at most ${LIMIT.toLocaleString('en-US')} bytes.` };

  test('a file may be as large as the operator allows', async () => {
    const [ida] = await app.people('Ida');
    const { projectId } = await aProjectWith(ida);
    const detail = 'Preview file must be smaller than 5 MB';
    expect(problemOf(await announce(ida, { projectId, size: 5_000_000 }))).toEqual({ status: 400, code: 'upload.too-large', limit: 5_000_000, detail });
    expect(problemOf(await announce(ida, { projectId, size: 4_999_999 }))).toEqual(bytesRefused);
    expect((await announce(ida, { purpose: 'profile-photo', size: 9_000_000 })).status).toBe(201);
  });

  test('an account gets no further upload in any project, also while one of its uploads is not used yet; comments go on', async () => {
    const [ana] = await app.people('Ana');
    const { projectId } = await aProjectWith(ana);
    const other = bodyOf(await createProject(ana)).newProject._id;
    const second = await upload(ana, smallWav(), { projectId });
    for (const each of [projectId, other]) expect(problemOf(await announce(ana, { projectId: each, size: 1 }))).toEqual(bytesRefused);
    expect(await bytesOf(ana)).toBe(LIMIT);
    expect((await use(ana, projectId, second)).status).toBe(201);
    expect(problemOf(await announce(ana, { projectId, size: 1 }))).toEqual(bytesRefused);
    expect((await comment(ana, projectId)).projectId).toBe(projectId);
    expect(await bytesOf(ana)).toBe(LIMIT);
  });

  test('an account may change its photo', async () => {
    const [eve] = await app.people('Eve');
    const { projectId } = await aProjectWith(eve);
    await addVersion(eve, projectId);
    expect((await announce(eve, { purpose: 'profile-photo', size: SIZE })).status).toBe(201);
  });

  test('when ten projects are created at once, only as many are accepted as the quota allows', async () => {
    const [fay] = await app.people('Fay');
    const answers = await Promise.all(Array.from({ length: 10 }, () => createProject(fay)));
    expect(answers.map(statusAndCode).toSorted()).toEqual(['201', '201', ...Array.from({ length: 8 }, () => '409 quota.projects')]);
  });

  test('an account creates no further project, until it removes one', async () => {
    const [bob] = await app.people('Bob');
    const { projectId } = await aProjectWith(bob, { bytes: smallWav() });
    bodyOf(await createProject(bob));
    expect(problemOf(await createProject(bob))).toEqual({ status: 409, code: 'quota.projects', limit: 2, detail: 'You can have at most 2 projects.' });
    bodyOf(await bob.post(`/api/projects/removeProject/${projectId}`));
    expect((await createProject(bob)).status).toBe(201);
  });

  test('a project gets no further version, until one is removed', async () => {
    const [cleo, dan] = await app.people('Cleo', 'Dan');
    const { projectId, versionId } = await aProjectWith(cleo, { collaborators: [dan] });
    await addVersion(dan, projectId);
    await addVersion(dan, projectId);
    const refused = { status: 409, code: 'quota.versions', limit: 3, detail: 'A project can have at most 3 versions.' };
    expect(problemOf(await announce(dan, { projectId, size: 1 }))).toEqual(refused);
    bodyOf(await cleo.post(`/api/media/${versionId}`, { projectId }));
    expect((await announce(cleo, { projectId, size: 1 })).status).toBe(201);
  });
});

test('when uploads are used at once after the quota was lowered, only as many are accepted as fit', async () => {
  const app = await startApp();
  const [ana] = await app.people('Ana');
  const { projectId, versionId } = await aProjectWith(ana);
  await analysed(ana, versionId);
  const ready = [];
  while (ready.length < 6) ready.push(await upload(ana, smallWav(), { projectId }));
  await app.restart(undefined, { QUOTA_BYTES: String(3 * SIZE) });
  const again = app.again(ana);
  const answers = await Promise.all(ready.map((each) => use(again, projectId, each)));
  expect(answers.map(statusAndCode).toSorted()).toEqual(['201', '201', ...Array.from({ length: 4 }, () => '409 quota.bytes')]);
  // The others can still be used once there is room.
  expect(await bytesOf(again)).toBe(7 * SIZE);
  await app.stop();
});

describe('when only the reserve of the disk is left', () => {
  const ALL = String(Number.MAX_SAFE_INTEGER);
  const full = { status: 507, code: 'disk.full', limit: undefined, detail: 'The server has run out of disk space. Reading still works.' };

  test('upload requests and uploads get 507, and everything else goes on', async () => {
    const app = await startApp();
    const [ana] = await app.people('Ana');
    const { projectId, versionId } = await aProjectWith(ana);
    const before = bodyOf(await announce(ana, { projectId, size: SIZE }));
    await app.restart(undefined, { DISK_RESERVE: ALL });
    const again = app.again(ana);
    expect(problemOf(await announce(again, { projectId, size: SIZE }))).toEqual(full);
    expect((await putBytes(again, before, smallWav())).status).toBe(507);
    expect((await comment(again, projectId)).projectId).toBe(projectId);
    expect((await again.raw('GET', `/api/media/${versionId}/audio`)).status).toBe(200);
    await app.stop();
  });
});
