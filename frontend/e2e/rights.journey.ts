import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { keepToastsOpen, watchFor } from './support/transient-text';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs, type Person } from './support/people';
import { composerOf, drawOnWave, expectComments, openComments, playerOf, sendComment } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { callApi, createProject, fetchFromPage } from './support/api';

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
  [owner, viewer, outsider] = (await Promise.all([ana, vic, otto].map(async (person) => (await openAs(server, person)).page))) as [Page, Page, Page];
  const project = await createProject(owner, { title, song: generatedWav('low light.wav', 6), invited: [{ person: vic, level: 0 }] });
  projectId = project._id;
  address = `/ana-reis/projects/${projectId}?tab=comments`;
  await callApi(owner, 'PUT', PROJECT_PATHS.invite(ana.uid, projectId), { invitedUsers: [`${collaborator.uid}-3`], writeAccess: true });
  await owner.goto(`/projects/${projectId}?tab=comments`);
  await viewer.goto(address);
  await Promise.all([owner, viewer].map((page) => playerOf(page).waitFor()));
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const comment = (text: string) => ({ projectId, submission: { content: text } });

/** Opens the Project Users dialog as the owner. */
async function membersOf(page: Page) {
  await page.getByRole('button', { name: 'Manage users' }).click();
  return page.getByRole('dialog', { name: 'Project Users' });
}

/** Saves the changes in the Project Users dialog, which closes by itself afterwards. */
async function save(dialog: Locator): Promise<void> {
  const toast = await watchFor(dialog, 'Changes saved.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await toast.appeared();
}

/** Waits for the toast about the new version, and switches to it. */
async function listensToNewVersion(page: Page): Promise<void> {
  const toast = page.getByRole('listitem').filter({ hasText: 'Cora Bell added version 2.0' });
  await toast.getByRole('button', { name: 'Listen' }).click();
  await playerOf(page)
    .getByRole('button', { name: /^Version 2\.0 Longer tail/ })
    .waitFor();
}

/** Expects no controls for writing, drawing or uploading. */
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
  'a viewer without rights can only listen, and the server refuses everything else',
  withScreenshots(async () => {
    await expectNothingToWrite(viewer);
    expect(await fetchFromPage(viewer, 'POST', COMMENT_PATHS.add, comment('let me in'))).toEqual({
      status: 403,
      detail: 'You may not do this in this project.',
    });
    await expectComments(owner, []);
  }),
);

test(
  'the right to comment takes effect while the page is open',
  withScreenshots(async () => {
    const dialog = await membersOf(owner);
    const row = dialog.getByRole('listitem', { name: 'Vic Lane' });
    await row.getByRole('checkbox', { name: 'comments of Vic Lane' }).check();
    await row.getByText('Modified').waitFor();
    await save(dialog);

    await composerOf(viewer).waitFor();
    await sendComment(viewer, 'The tail is cut short');
    await expectComments(owner, ['The tail is cut short']);
    await dialog.waitFor({ state: 'hidden' });
  }),
);

test(
  'a collaborator adds a major version, and all members are notified',
  withScreenshots(async () => {
    const { page, context } = await openAs(server, collaborator);
    await page.goto(address);
    await page.getByRole('button', { name: 'New Version' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Version' });
    await dialog.getByText('1.0 becomes 1.1').waitFor();
    await dialog.getByText('Major').click();
    await dialog.getByText('1.0 becomes 2.0').waitFor();
    await dialog.getByLabel('Tiny summary').fill('Longer tail');
    await dialog.locator('input[type=file]').setInputFiles(generatedWav('low light 2.wav', 8));
    const upload = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Upload' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('heading', { name: 'Version 2.0' }).waitFor();
    };
    for (const each of [owner, viewer]) await keepToastsOpen(each);
    await Promise.all([upload(), listensToNewVersion(owner), listensToNewVersion(viewer)]);
    await eventually(async () =>
      expect(await viewer.locator('#version-information, .facts dd').allInnerTexts()).toEqual(expect.arrayContaining(['Version 2.0', '0:08.0'])),
    );
    await context.close();
  }),
);

test(
  'for other users the project does not exist',
  withScreenshots(async () => {
    await outsider.goto(address);
    await outsider.getByText('There is no such project, or you have no access to it.').waitFor();
    expect(await outsider.getByText(title).count()).toBe(0);
    expect(await fetchFromPage(outsider, 'POST', COMMENT_PATHS.add, comment('hello?'))).toEqual({
      status: 404,
      detail: 'There is no such project, or you have no access to it.',
    });
  }),
);

test(
  'a removed user is notified and connected to the list',
  withScreenshots(async () => {
    const dialog = await membersOf(owner);
    await dialog.getByRole('button', { name: 'Remove Vic Lane' }).click();
    await dialog.getByText('will be removed').waitFor();
    const toast = await watchFor(viewer.locator('body'), `Ana Reis removed you from ${title}`);
    await save(dialog);

    await toast.appeared();
    await viewer.waitForURL('**/projects');
    await viewer.getByText('Nothing here yet').waitFor();
    expect(await viewer.getByRole('link', { name: title }).count()).toBe(0);
    await viewer.goto(address);
    await viewer.getByText('There is no such project, or you have no access to it.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
  }),
);

test(
  'the guest can view and play public projects, and edit nothing',
  withScreenshots(async () => {
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
    await refused.appeared();
    expect(await guest.getByRole('dialog').count()).toBe(0);

    await guest.getByRole('link', { name: title }).click();
    await playerOf(guest).waitFor();
    await openComments(guest);
    await expectComments(guest, ['The tail is cut short']);
    await expectNothingToWrite(guest);
    expect(await fetchFromPage(guest, 'POST', COMMENT_PATHS.add, comment('hi'))).toEqual({ status: 403, detail: "Guests aren't allowed to edit data." });
  }),
);

test('no page logged an error to its console', () => {
  const refused = [/ 403 \(Forbidden\) \/api\/comments$/, / 404 \(Not Found\) \/api\/comments$/, / 404 \(Not Found\) \/api\/projects\/\w+\/visitor\/\w+$/];
  expect(consoleErrors(...refused)).toEqual([]);
});
