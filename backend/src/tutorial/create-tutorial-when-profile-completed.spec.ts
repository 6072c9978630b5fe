import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ProjectsAnswer, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { TUTORIAL_PATHS } from '@roughmix/contracts/tutorial/tutorial.paths.js';
import type { InitializeContentAnswer } from '@roughmix/contracts/tutorial/tutorial.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import sharp from 'sharp';
import { PASSWORD, type Person, startApp, type TestApp } from '../testing/app.js';
import { upload } from '../testing/project-over-http.js';
import { bodyOf, expectRefused } from '../testing/test-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** An account without names and with a photo, signed in. */
async function invited(email: string): Promise<Person> {
  const { user } = bodyOf(await app.anonymous.post<UserAddedAnswer>(USER_PATHS.addUser(app.adminKey), { email, password: PASSWORD }));
  const who = await app.signIn(email, user.username);
  const photo = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { uploadId } = await upload(who, photo, { purpose: 'profile-photo' });
  bodyOf(await who.put(USER_PATHS.photo(who.uid), { uploadId }));
  return who;
}

const welcome = (who: Person) => who.put(USER_PATHS.user(who.uid), { firstName: 'Maren', lastName: 'Holt', newPassword: 'slow-tide-and-5-reefs' });
const projectsOf = async (who: Person): Promise<readonly ProjectView[]> => bodyOf(await who.get<ProjectsAnswer>(PROJECT_PATHS.list(who.uid))).projects;

test('a stop right after the welcome form delays the tutorial, but does not lose it', async () => {
  const lena = await invited('lena@example.org');
  bodyOf(await welcome(lena));
  await app.restart();
  await app.reactorsIdle();
  expect(await projectsOf(app.again(lena))).toMatchObject([{ initialLogin: true, currentVersion: { state: 'ready' } }]);
});

test('the accepted welcome form brings the tutorial within ten seconds, a refused one does not', async () => {
  const maren = await invited('maren@example.org');
  expectRefused(await maren.put(USER_PATHS.user(maren.uid), { firstName: 'Maren', lastName: 'Holt', newPassword: PASSWORD }), 'password.unchanged', {
    field: 'newPassword',
  });
  bodyOf(await maren.put(USER_PATHS.user(maren.uid), { firstName: 'Maren' }));
  await app.reactorsIdle();
  expect(await projectsOf(maren)).toEqual([]);
  const before = Date.now();
  bodyOf(await welcome(maren));
  await app.reactorsIdle();
  expect(Date.now() - before).toBeLessThan(10_000);
  const [tutorial] = await projectsOf(maren);
  expect(tutorial).toMatchObject({ projectName: 'Tutorial: First Light', initialLogin: true, owner: { uid: maren.uid } });
  const asked = await app.anonymous.post<InitializeContentAnswer>(TUTORIAL_PATHS.initializeContent(app.adminKey), { uid: maren.uid });
  expect([asked.status, asked.body.project._id]).toEqual([200, tutorial?._id]);
});

test('a user who is erased right after the welcome form leaves no tutorial', async () => {
  const nils = await invited('nils@example.org');
  bodyOf(await welcome(nils));
  bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: nils.uid }));
  await app.reactorsIdle();
  const asked = await app.anonymous.post(TUTORIAL_PATHS.initializeContent(app.adminKey), { uid: nils.uid });
  expectRefused(asked, 'user.not-found');
  expect((await app.blobs()).filter((key) => key.startsWith(nils.uid))).toEqual([]);
});
