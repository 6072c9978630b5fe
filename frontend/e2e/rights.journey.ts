import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { madeWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { complaints } from './support/complaints';
import { holdMessages, watchFor } from './support/in-passing';
import { eventually, pictured } from './support/journey';
import { addUser, enter, type Person } from './support/people';
import { composerOf, drawOnWave, expectSaid, playerOf, say } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { ask, makeProject, tryFromPage } from './support/studio';

const title = 'Low Light';
let server: RunningServer;
let projectId: string;
let address: string;
let owner: Page;
let viewer: Page;
let outsider: Page;
let collaborator: Person;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  const vic = await addUser(server, 'Vic', 'Lane');
  const otto = await addUser(server, 'Otto', 'Field');
  collaborator = await addUser(server, 'Cora', 'Bell');
  [owner, viewer, outsider] = (await Promise.all([ana, vic, otto].map(async (person) => (await enter(server, person)).page))) as [Page, Page, Page];
  const project = await makeProject(owner, { title, song: madeWav('low light.wav', 6), invited: [{ person: vic, level: 0 }] });
  projectId = project._id;
  address = `/ana-reis/projects/${projectId}`;
  await ask(owner, 'PUT', PROJECT_PATHS.invite(ana.uid, projectId), { invitedUsers: [`${collaborator.uid}-3`], writeAccess: true });
  await owner.goto(`/projects/${projectId}`);
  await viewer.goto(address);
  await Promise.all([owner, viewer].map((page) => playerOf(page).waitFor()));
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const comment = (text: string) => ({ projectId, submission: { content: text } });

/** Opens the members of the project as its owner. */
async function membersOf(page: Page) {
  await page.getByRole('button', { name: 'Manage users' }).click();
  return page.getByRole('dialog', { name: 'Project Users' });
}

/** Saves what was changed in the window of the members, which says so and closes a moment later. */
async function save(dialog: Locator): Promise<void> {
  const told = await watchFor(dialog, 'Changes saved.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told.came();
}

/** Waits until somebody is told of the new version, and goes along with it. */
async function goesAlong(page: Page): Promise<void> {
  const told = page.getByRole('listitem').filter({ hasText: 'Cora Bell added version 2.0' });
  await told.getByRole('button', { name: 'Listen' }).click();
  await playerOf(page)
    .getByRole('button', { name: /^Version 2\.0 Longer tail/ })
    .waitFor();
}

/** Nothing on the page lets anybody write, draw or upload. */
async function expectNothingToWrite(page: Page): Promise<void> {
  await page.getByText('Press a label over the wave to see what its region is about.').waitFor();
  expect(await composerOf(page).count()).toBe(0);
  for (const name of ['New Version', 'Invite Users', 'Reply', 'Edit', 'Remove', 'Like']) {
    expect({ [name]: await page.getByRole('button', { name, exact: true }).count() }).toEqual({ [name]: 0 });
  }
  expect(await page.getByRole('link', { name: 'Download 1.0' }).count()).toBe(0);
  await drawOnWave(page, 0.2, 0.4);
  expect(await page.getByRole('group', { name: /^Region: / }).count()).toBe(0);
}

test(
  'a viewer without rights only listens, and the server refuses the rest',
  pictured(async () => {
    await expectNothingToWrite(viewer);
    expect(await tryFromPage(viewer, 'POST', COMMENT_PATHS.add, comment('let me in'))).toEqual({
      status: 403,
      detail: 'You may not do this in this project.',
    });
    await expectSaid(owner, []);
  }),
);

test(
  'the right to comment arrives while the page is open',
  pictured(async () => {
    const dialog = await membersOf(owner);
    const row = dialog.getByRole('listitem', { name: 'Vic Lane' });
    await row.getByRole('checkbox', { name: 'comments of Vic Lane' }).check();
    await row.getByText('Modified').waitFor();
    await save(dialog);

    await composerOf(viewer).waitFor();
    await say(viewer, 'The tail is cut short');
    await expectSaid(owner, ['The tail is cut short']);
    await dialog.waitFor({ state: 'hidden' });
  }),
);

test(
  'a collaborator adds a major version, which everybody is told of',
  pictured(async () => {
    const { page, context } = await enter(server, collaborator);
    await page.goto(address);
    await page.getByRole('button', { name: 'New Version' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Version' });
    await dialog.getByText('1.0 becomes 1.1').waitFor();
    await dialog.getByText('Major').click();
    await dialog.getByText('1.0 becomes 2.0').waitFor();
    await dialog.getByLabel('Tiny summary').fill('Longer tail');
    await dialog.locator('input[type=file]').setInputFiles(madeWav('low light 2.wav', 8));
    const upload = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Upload' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('heading', { name: 'Version 2.0' }).waitFor();
    };
    for (const each of [owner, viewer]) await holdMessages(each);
    await Promise.all([upload(), goesAlong(owner), goesAlong(viewer)]);
    await eventually(async () =>
      expect(await viewer.locator('#version-information, .facts dd').allInnerTexts()).toEqual(expect.arrayContaining(['Version 2.0', '0:08.0'])),
    );
    await context.close();
  }),
);

test(
  'to somebody else the project does not exist',
  pictured(async () => {
    await outsider.goto(address);
    await outsider.getByText('There is no such project, or you have no access to it.').waitFor();
    expect(await outsider.getByText(title).count()).toBe(0);
    expect(await tryFromPage(outsider, 'POST', COMMENT_PATHS.add, comment('hello?'))).toEqual({
      status: 404,
      detail: 'There is no such project, or you have no access to it.',
    });
  }),
);

test(
  'who is removed is told, and led to the list',
  pictured(async () => {
    const dialog = await membersOf(owner);
    await dialog.getByRole('button', { name: 'Remove Vic Lane' }).click();
    await dialog.getByText('will be removed').waitFor();
    const told = await watchFor(viewer.locator('body'), `Ana Reis removed you from ${title}`);
    await save(dialog);

    await told.came();
    await viewer.waitForURL('**/projects');
    await viewer.getByText('Nothing here yet').waitFor();
    expect(await viewer.getByRole('link', { name: title }).count()).toBe(0);
    await viewer.goto(address);
    await viewer.getByText('There is no such project, or you have no access to it.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
  }),
);

test(
  'the guest sees and hears what is public, and edits nothing',
  pictured(async () => {
    await owner.getByRole('button', { name: 'More project actions' }).click();
    await owner.getByRole('menuitemradio', { name: 'Public' }).click();
    await owner.getByRole('alertdialog', { name: 'Make it public?' }).getByRole('button', { name: 'Make public' }).click();
    await owner.getByRole('region', { name: 'Project', exact: true }).getByText('Public', { exact: true }).waitFor();

    const guest = await (await openContext({ baseURL: server.address })).newPage();
    await guest.goto('/login');
    await guest.getByRole('button', { name: 'Look around as a guest' }).click();
    const add = guest.getByRole('button', { name: 'Add Project' });
    await add.waitFor();
    const refused = await watchFor(guest.locator('body'), "Guests aren't allowed to edit data.");
    await add.click();
    await refused.came();
    expect(await guest.getByRole('dialog').count()).toBe(0);

    await guest.getByRole('link', { name: title }).click();
    await playerOf(guest).waitFor();
    await expectSaid(guest, ['The tail is cut short']);
    await expectNothingToWrite(guest);
    expect(await tryFromPage(guest, 'POST', COMMENT_PATHS.add, comment('hi'))).toEqual({ status: 403, detail: "Guests aren't allowed to edit data." });
  }),
);

test('no page complained in its console', () => {
  const refused = [/ 403 \(Forbidden\) \/api\/comments$/, / 404 \(Not Found\) \/api\/comments$/, / 404 \(Not Found\) \/api\/projects\/\w+\/visitor\/\w+$/];
  expect(complaints(...refused)).toEqual([]);
});
