import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createProject } from './support/api';
import { generatedWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { playerOf } from './support/project-page';
import { secondBuild } from './support/second-build';
import { type RunningServer, startServer } from './support/server';

const MISSING = 'This part of the page could not be loaded. Are you offline?';
let server: RunningServer;
let build: string;
/** Of the same user: one page with a service worker, one in a browser without. */
let kept: Page;
let plain: Page;
let project: string;

beforeAll(async () => {
  [server, build] = await Promise.all([startServer(), secondBuild()]);
  const ana = await addUser(server, 'Ana', 'Reis');
  [{ page: kept }, { page: plain }] = await Promise.all([openAs(server, ana, { serviceWorkers: 'allow' }), openAs(server, ana)]);
  const { _id } = await createProject(kept, { title: 'Long Night', song: generatedWav('long night.wav') });
  project = `/projects/${_id}`;
  for (const page of [kept, plain]) {
    await page.goto(project);
    await playerOf(page).waitFor();
  }
  await kept.waitForFunction(() => navigator.serviceWorker.controller !== null);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
  await rm(build, { recursive: true, force: true });
});

const buildOf = (page: Page) =>
  page
    .locator('meta[name="build"]')
    .getAttribute('content', { timeout: 1_000 })
    .catch(() => '1');
const cachedFiles = (page: Page) =>
  page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    return (await Promise.all(caches_.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
  });

/** Opens the dialog that a button or a menu entry leads to, and closes it. */
async function opensDialog(page: Page, name: string, open: () => Promise<unknown>): Promise<void> {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

const openSettings = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
};

test(
  'without a server every dialog opens, none of which was opened before, and a reload shows the app',
  withScreenshots(async () => {
    await server.restart(async () => {
      await opensDialog(kept, 'Settings', () => openSettings(kept));
      await opensDialog(kept, 'New Version', () => kept.getByRole('button', { name: 'New Version' }).first().click());
      await opensDialog(kept, 'Invite Users', () =>
        kept
          .getByRole('button', { name: /^Invite/ })
          .first()
          .click(),
      );
      await opensDialog(kept, 'Search', () => kept.keyboard.press('/'));
      await opensDialog(kept, 'Keyboard shortcuts', () => kept.keyboard.press('?'));
      await kept.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click();
      await opensDialog(kept, 'New Project', () => kept.getByRole('button', { name: 'Add Project' }).click());
      await kept.reload();
      await kept.locator('#root > *').first().waitFor();
      expect(await kept.title()).toContain('Roughmix');
    });
    await kept.goto(project);
    await playerOf(kept).waitFor();
  }),
);

test(
  'only the shell is kept: no answer of the API, no audio',
  withScreenshots(async () => {
    const files = await cachedFiles(kept);
    expect(files).toContain('/index.html');
    expect(files.filter((path) => !/^\/(?:assets\/.+\.(?:js|css|woff2)|index\.html|theme\.js|favicon\.svg|manifest\.webmanifest)$/.test(path))).toEqual([]);
  }),
);

test(
  'after a deployment an open tab keeps working, the next navigation gets the new build, and the files of the old one are removed',
  withScreenshots(async () => {
    const old = await cachedFiles(kept);
    await server.upgrade(build);
    await kept.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await opensDialog(kept, 'Settings', () => openSettings(kept));
    expect(await buildOf(kept)).toBe('1');
    await kept.goto('/projects');
    await kept.getByRole('link', { name: 'Long Night' }).waitFor();
    expect(await buildOf(kept)).toBe('2');
    await eventually(async () => {
      const files = await cachedFiles(kept);
      expect(files.filter((path) => path.startsWith('/assets/') && path.endsWith('.js') && old.includes(path))).toEqual([]);
      expect(files.length).toBe(old.length);
    });
  }),
);

test(
  'without a service worker a part that the new build lacks says so, and Retry gets the new build',
  withScreenshots(async () => {
    expect(await buildOf(plain)).toBe('1');
    await openSettings(plain);
    await plain.getByText(MISSING).waitFor();
    await plain.getByRole('button', { name: 'Retry' }).click();
    await eventually(async () => expect(await buildOf(plain)).toBe('2'));
    await playerOf(plain).waitFor();
    await opensDialog(plain, 'Settings', () => openSettings(plain));
  }),
);
