import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { callApi, createProject } from './support/api';
import { closeBrowser } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { playerOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';

let server: RunningServer;
let owner: Page;
let collaborator: Page;
let project: string;
/** The 9th of next month, as 2026-04-09. */
const now = new Date();
const ninth = new Date(now.getFullYear(), now.getMonth() + 1, 9);
const dueDay = `${ninth.getFullYear()}-${String(ninth.getMonth() + 1).padStart(2, '0')}-09`;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  const cora = await addUser(server, 'Cora', 'Bell');
  [owner, collaborator] = (await Promise.all([ana, cora].map(async (person) => (await openAs(server, person)).page))) as [Page, Page];
  const { _id: projectId, versionIds } = await createProject(owner, { title: 'Left to Do', song: generatedWav('left to do.wav', 12) });
  await callApi(owner, 'PUT', PROJECT_PATHS.invite(ana.uid, projectId), { invitedUsers: [`${cora.uid}-3`], writeAccess: true });
  const submission = { versionId: versionIds[0], start: 4, end: 6, tag: 'mix', label: 'Kick' };
  await callApi(owner, 'POST', REGION_PATHS.add, { projectId, submission });
  project = `/ana-reis/projects/${projectId}`;
  await Promise.all([owner.goto(`/projects/${projectId}`), collaborator.goto(project)]);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const rows = (page: Page) => page.getByRole('article', { name: /^Todo by / });
const expectTodos = (page: Page, texts: readonly string[]) => eventually(async () => expect(await rows(page).locator('.text').allInnerTexts()).toEqual(texts));
const show = (page: Page, list: 'Active' | 'Completed') =>
  page
    .getByRole('radiogroup', { name: 'Todos' })
    .getByText(new RegExp(`^${list}`))
    .click();

test(
  'a todo with a mention, a region, a timestamp and a due date reaches the other user live, and so does the reply',
  withScreenshots(async () => {
    await collaborator.getByRole('button', { name: /^Kick, Mix, / }).click();
    await playerOf(collaborator).getByRole('button', { name: /^Todo/ }).click();
    const box = collaborator.getByRole('group', { name: 'New todo' });
    const text = box.getByRole('textbox', { name: 'New todo' });
    await text.pressSequentially('@re');
    await box.getByRole('option', { name: /Ana Reis/ }).click();
    await text.pressSequentially('turn the kick up');
    await box.getByRole('button', { name: 'Due', exact: true }).click();
    const due = collaborator.getByRole('dialog', { name: 'Due date and reminder' });
    await due.getByLabel('Due date').fill(dueDay);
    await due.getByRole('button', { name: /^Reminder/ }).click();
    await collaborator.getByRole('option', { name: '1 day before' }).click();
    await due.getByRole('button', { name: 'Set' }).click();
    await box.getByRole('button', { name: 'Add todo' }).click();

    await expectTodos(owner, ['@Ana Reis turn the kick up']);
    const row = rows(owner);
    for (const name of [/^Mix, /, /^Go to /]) await row.getByRole('button', { name }).waitFor();
    await row.getByText('reminder 1 day before').waitFor({ state: 'attached' });
    await row.getByRole('button', { name: 'Reply' }).click();
    await owner.getByRole('textbox', { name: 'Reply to Cora Bell' }).fill('Two dB?');
    await owner.getByRole('button', { name: 'Send reply' }).click();
    await rows(collaborator).getByRole('button', { name: '1 Reply' }).waitFor();
  }),
);

test(
  'the calendar of the projects page lists it on its day, and leads back to it',
  withScreenshots(async () => {
    await collaborator.goto('/projects');
    const reminders = collaborator.getByRole('complementary', { name: 'Reminders' });
    await reminders
      .getByRole('list', { name: 'Due next' })
      .getByRole('link', { name: /turn the kick up/ })
      .waitFor();
    await reminders.getByRole('button', { name: 'Next month' }).click();
    const day = reminders.locator(`[data-day="${dueDay}"]`);
    expect(await reminders.getByRole('grid').getByRole('button', { name: /due$/ }).count()).toBe(1);
    expect(await day.getAttribute('aria-label')).toMatch(/, 1 due$/);
    await day.click();
    await reminders
      .getByRole('list', { name: /^Due on / })
      .getByRole('link', { name: /turn the kick up/ })
      .click();
    await collaborator.waitForURL(/\/ana-reis\/projects\/\w+\?todo=/);
    await eventually(async () => expect(await rows(collaborator).evaluate((row) => row === document.activeElement)).toBe(true));
  }),
);

test(
  'the marked todo is completed under the current version, and both users see it in its round',
  withScreenshots(async () => {
    await rows(owner).getByRole('checkbox', { name: 'Completed' }).check();
    await owner.getByRole('button', { name: 'Complete 1 in 1.0' }).click();
    for (const page of [owner, collaborator]) {
      await page.getByText('Nothing todo... yet').waitFor();
      await show(page, 'Completed');
      await page.getByRole('heading', { name: /^1\.0/ }).waitFor();
      await rows(page).getByText('completed by Ana Reis').waitFor();
      await expectTodos(page, ['@Ana Reis turn the kick up']);
    }
  }),
);

test(
  'its author cannot edit a completed todo, and removes it only after a question',
  withScreenshots(async () => {
    await rows(collaborator).getByText('currently disabled').waitFor();
    await rows(collaborator).getByRole('button', { name: 'Remove' }).click();
    const question = collaborator.getByRole('alertdialog');
    await question.getByText('This todo is marked as completed. Are you sure you want to remove it?').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await expectTodos(collaborator, []);
    await collaborator.getByRole('button', { name: 'Dismiss' }).click();
    await expectTodos(owner, []);
  }),
);

test('no page logged an error to its console', () => expect(consoleErrors()).toEqual([]));
