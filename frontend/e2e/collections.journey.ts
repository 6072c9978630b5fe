import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createProject } from './support/api';
import { generatedWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { type RunningServer, startServer } from './support/server';

let server: RunningServer;
let page: Page;
/** The same user on a phone. */
let phone: Page;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  ({ page } = await openAs(server, ana));
  ({ page: phone } = await openAs(server, ana, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }));
  for (const title of ['Low Tide', 'Paper Moon']) await createProject(page, { title, song: generatedWav(`${title}.wav`) });
  await Promise.all([page.goto('/projects'), phone.goto('/projects')]);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const expectRows = (texts: readonly string[]) =>
  eventually(async () => expect(await page.getByRole('navigation', { name: 'Collections' }).getByRole('link').allInnerTexts()).toEqual(texts));
const expectListed = (where: Page, titles: readonly string[]) =>
  eventually(async () => expect(await where.getByRole('list', { name: 'Your projects' }).getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(titles));
/** What the dropdown on the phone offers. */
async function onPhone(): Promise<readonly string[]> {
  await phone.locator('.coldrop').tap();
  const items = phone.getByRole('menuitem');
  await items.first().waitFor();
  const names = await items.allInnerTexts();
  await phone.keyboard.press('Escape');
  await items.first().waitFor({ state: 'detached' });
  return names.map((name) => name.replaceAll('\n', ' '));
}
const expectOnPhone = (names: readonly string[]) => eventually(async () => expect(await onPhone()).toEqual(names));

test(
  'collections in edit mode',
  withScreenshots(async () => {
    await press('Edit');
    await page.getByRole('checkbox', { name: 'Select Low Tide' }).check();
    await press('Add to collection');
    await page.getByRole('menuitem', { name: 'New collection' }).click();
    await page.getByLabel('Title').fill('Sketches');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await expectRows(['All Projects\n2', 'Sketches\n1']);
    await expectOnPhone(['All Projects 2', 'Sketches 1', 'New collection']);

    await phone.locator('.coldrop').tap();
    await phone.getByRole('menuitem', { name: 'Sketches' }).tap();
    await expectListed(phone, ['Low Tide']);

    await page.getByRole('checkbox', { name: 'Select Paper Moon' }).check();
    await press('Add to collection');
    await page.getByRole('menuitem', { name: 'Sketches' }).click();
    await expectRows(['All Projects\n2', 'Sketches\n2']);
    await expectListed(phone, ['Paper Moon', 'Low Tide']);

    await page.getByRole('link', { name: 'Sketches' }).click();
    await page.getByRole('checkbox', { name: 'Select Paper Moon' }).uncheck();
    await press('Remove from Sketches');
    await expectListed(page, ['Paper Moon']);
    await expectListed(phone, ['Paper Moon']);

    await press('Remove collection Sketches');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove collection' }).click();
    await expectRows(['All Projects\n2']);
    await expectListed(page, ['Paper Moon', 'Low Tide']);
    await expectListed(phone, ['Paper Moon', 'Low Tide']);
  }),
);

test('no page logged an error to its console', () => expect(consoleErrors()).toEqual([]));
