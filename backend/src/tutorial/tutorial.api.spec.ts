import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import { TUTORIAL_PATHS } from '@roughmix/contracts/tutorial/tutorial.paths.js';
import type { InitializeContentAnswer } from '@roughmix/contracts/tutorial/tutorial.view.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '0' });
  [ana, bob] = await app.people('Ana', 'Bob');
});
afterAll(() => app.stop());

const songFolder = (): string => join(app.folder, 'blobs/tutorial/first-light');
const initialize = (uid: string): Promise<Answer<InitializeContentAnswer>> => app.anonymous.post(TUTORIAL_PATHS.initializeContent(app.adminKey), { uid });
const tutorialOf = async ({ uid }: Person): Promise<ProjectView> => bodyOf(await initialize(uid)).project;
const pageOf = async (who: Person, { _id }: ProjectView): Promise<ProjectPageAnswer> => bodyOf(await who.get(PROJECT_PATHS.page(_id, who.uid)));
const removeVersion = (who: Person, project: ProjectView, versionId: string): Promise<Answer> =>
  who.post(VERSION_PATHS.one(versionId), { projectId: project._id });
const audio = async (who: Person, versionId: string): Promise<Buffer> =>
  Buffer.from(await (await who.raw('GET', `/api/media/${versionId}/audio`)).arrayBuffer());
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('a user gets one tutorial, however often it is asked for, at once or one after another', async () => {
  // Left by a crash in an earlier attempt.
  await mkdir(songFolder(), { recursive: true });
  await writeFile(join(songFolder(), 'First Light 1.0.wav'), 'RIFF');
  const answers = [...(await Promise.all([initialize(ana.uid), initialize(ana.uid)])), await initialize(ana.uid)];
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 201]);
  const [first] = answers;
  expect(answers.map(({ body }) => body.project._id)).toEqual(Array.from({ length: 3 }, () => first?.body.project._id));
  const created = answers.find(({ status }) => status === 201);
  expect(created?.body.project).toMatchObject({
    projectName: 'Tutorial: First Light',
    initialLogin: true,
    visibility: 'private',
    completed: false,
    owner: { uid: ana.uid },
    userPermissions: { read: [], write: [] },
    permissionLevel: { role: 'Owner' },
    position: Number(created?.headers.get('x-position')),
  });
});

test('its versions can be played at once, its regions have every category, and the user wrote everything', async () => {
  const page = await pageOf(ana, await tutorialOf(ana));
  const { versions, regions, comments, todos } = page.data;
  expect(versions.map(({ majorUpdate, minorUpdate, initialLogin, state, duration }) => ({ majorUpdate, minorUpdate, initialLogin, state, duration }))).toEqual([
    { majorUpdate: 1, minorUpdate: 0, initialLogin: true, state: 'ready', duration: 40.8 },
    { majorUpdate: 1, minorUpdate: 1, initialLogin: true, state: 'ready', duration: 40.8 },
  ]);
  const [rough = 0, better = 0] = versions.map(({ analysis }) => analysis?.loudness ?? 0);
  expect(better - rough).toBeGreaterThan(4);
  expect(new Set(regions.map(({ tag }) => tag))).toEqual(new Set(REGION_CATEGORIES));
  expect(todos.map(({ initialLogin, completed }) => ({ initialLogin, completed }))).toEqual([
    { initialLogin: true, completed: true },
    ...Array.from({ length: 5 }, () => ({ initialLogin: true, completed: false })),
  ]);
  expect(todos.every(({ dueDate }) => dueDate === null)).toBe(true);
  const authors = [...regions, ...comments, ...todos].map(({ user }) => user?.uid);
  expect(new Set([...authors, ...versions.map(({ uploader }) => uploader.uid)])).toEqual(new Set([ana.uid]));
  expect(comments).toHaveLength(6);
  for (const { _id, peaksUrl } of versions) {
    expect((await audio(ana, _id)).subarray(0, 4).toString()).toBe('RIFF');
    expect((await ana.get(`${peaksUrl}?level=0`)).status).toBe(200);
  }
});

test('all tutorials share their audio, which stays when one is removed, and the next request creates a new one', async () => {
  const [first, other] = [await tutorialOf(ana), await tutorialOf(bob)];
  const stored = (await app.blobs()).filter((key) => key.startsWith('tutorial/'));
  expect(stored.filter((key) => key.endsWith('.wav'))).toEqual(['tutorial/first-light/First Light 1.0.wav', 'tutorial/first-light/First Light 1.1.wav']);
  const [versionId = ''] = other.versionIds;
  expect(hash(await audio(bob, versionId))).toBe(hash(await audio(ana, first.versionIds[0] ?? '')));
  expect(other._id).not.toBe(first._id);

  bodyOf(await ana.post(PROJECT_PATHS.remove(first._id)));
  await app.reactorsIdle();
  expect((await app.blobs()).filter((key) => key.startsWith('tutorial/'))).toEqual(stored);
  expect((await audio(bob, versionId)).length).toBe(7_197_164);
  const again = await initialize(ana.uid);
  expect([again.status, again.body.project.initialLogin, again.body.project._id === first._id]).toEqual([201, true, false]);
  expect((await initialize(ana.uid)).status).toBe(200);
});

test('a removed version of it leaves the shared audio alone', async () => {
  const tutorial = await tutorialOf(bob);
  bodyOf(await removeVersion(bob, tutorial, tutorial.versionIds[0] ?? ''));
  await app.reactorsIdle();
  const { currentVersion, versions } = await tutorialOf(bob);
  expect([versions.length, currentVersion?._id]).toEqual([1, tutorial.versionIds[1]]);
  expect((await app.blobs()).filter((key) => key.startsWith('tutorial/') && key.endsWith('.wav'))).toHaveLength(2);
});

test('a collaborator may remove a version of the tutorial', async () => {
  const [carl, dora] = await app.people('Carl', 'Dora');
  const tutorial = await tutorialOf(carl);
  bodyOf(await carl.put(PROJECT_PATHS.invite(carl.uid, tutorial._id), { invitedUsers: [dora.uid], writeAccess: true }));
  expect((await removeVersion(dora, tutorial, tutorial.versionIds[0] ?? '')).status).toBe(200);
});

test('missing audio is stored again by the next request', async () => {
  const before = await app.blobs();
  await rm(join(songFolder(), 'peaks-1.1'), { recursive: true });
  expect((await initialize(ana.uid)).status).toBe(200);
  expect(await app.blobs()).toEqual(before);
});

test('erasing one user and the sweep at the next start leave the audio of the others alone', async () => {
  const eve = await app.person('Eve');
  const { _id } = await tutorialOf(eve);
  const [versionId = ''] = (await tutorialOf(bob)).versionIds;
  const stored = await app.blobs();
  const erased = bodyOf(await app.anonymous.post<{ removedProjects: string[] }>(`/api/admin/${app.adminKey}/users/erase`, { user: eve.uid }));
  expect(erased.removedProjects).toEqual([_id]);
  await app.restart();
  await app.reactorsIdle();
  [ana, bob] = [app.again(ana), app.again(bob)];
  expect(await app.blobs()).toEqual(stored);
  expect((await audio(bob, versionId)).length).toBe(7_197_164);
  expectRefused(await initialize(eve.uid), 'user.not-found');
});

test('there is no tutorial for an unknown user or the guest', async () => {
  const guest = await app.guest();
  for (const uid of ['nobody', guest.uid]) expectRefused(await initialize(uid), 'user.not-found');
  expect(statusAndCode(await app.anonymous.post(TUTORIAL_PATHS.initializeContent(app.adminKey), {}))).toBe('400 request.invalid');
});
