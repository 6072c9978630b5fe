import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { callApi, createProject } from './support/api';
import { closeBrowser } from './support/browser';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { commentsOf, composerOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';

let server: RunningServer;
let owner: Page;
let viewer: Page;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  const bob = await addUser(server, 'Bob', 'Holt');
  [owner, viewer] = (await Promise.all([ana, bob].map(async (person) => (await openAs(server, person)).page))) as [Page, Page];
  const { _id, versionIds } = await createProject(owner, { title: 'Long Bridge', song: generatedWav('bridge.wav', 12), invited: [{ person: bob, level: 1 }] });
  const region = { versionId: versionIds[0], start: 2, end: 4, tag: 'mix', label: 'Bridge' };
  await callApi(owner, 'POST', REGION_PATHS.add, { projectId: _id, submission: region });
  await Promise.all([owner.goto(`/projects/${_id}?tab=comments`), viewer.goto(`/ana-reis/projects/${_id}?tab=comments`)]);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const labels = (page: Page) => page.getByRole('list', { name: 'Regions' }).getByRole('button');
const expectRegions = (page: Page, names: readonly string[]) =>
  eventually(async () => expect(await labels(page).evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))).toEqual(names));
const SAVED = 'Bridge, Mix, 0:02.0 to 0:04.0';
const CHILD = 'Start it earlier, Mix, 0:00.0 to 0:02.0';

test(
  "a comment on someone else's region moves its own copy of it, which both users see",
  withScreenshots(async () => {
    await labels(viewer).first().click();
    await viewer.getByRole('button', { name: 'Comment', exact: false }).first().click();
    await viewer.getByRole('button', { name: 'Move left by its length' }).click();
    await composerOf(viewer).getByRole('textbox', { name: 'New comment' }).fill('Start it earlier');
    await composerOf(viewer).getByRole('button', { name: 'Send' }).click();
    await Promise.all([owner, viewer].map((page) => expectRegions(page, [CHILD, SAVED])));
    await commentsOf(owner)
      .first()
      .getByRole('button', { name: /0:00\.0 to 0:02\.0/ })
      .click();
    await owner.getByRole('group', { name: 'Region: Start it earlier' }).waitFor();
  }),
);

test(
  'Revert original leads the comment back to the saved region, and the copy disappears',
  withScreenshots(async () => {
    await commentsOf(viewer).first().getByRole('button', { name: 'Edit' }).click();
    await viewer.getByRole('button', { name: 'Revert original' }).click();
    await viewer.getByRole('button', { name: 'Save', exact: true }).click();
    await Promise.all([owner, viewer].map((page) => expectRegions(page, [SAVED])));
    await commentsOf(owner)
      .first()
      .getByRole('button', { name: /0:02\.0 to 0:04\.0/ })
      .waitFor();
  }),
);
