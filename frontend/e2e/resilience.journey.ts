import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { consoleErrors, serverDownErrors } from './support/console-errors';
import { watchFor } from './support/transient-text';
import { playsPast } from './support/playback';
import { readWavePixels } from './support/wave-pixels';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { commentsOf, composerOf, expectComments, playerOf, sendComment } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { callApi, createProject } from './support/api';

const anHour = 3_600_000;
const OFFLINE = 'You are offline. The track keeps playing. What you write is kept and sent later.';
let server: RunningServer;
let context: BrowserContext;
let page: Page;
let bobs: Page;
let project: string;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  const bob = await addUser(server, 'Bob', 'Stone');
  ({ context, page } = await openAs(server, ana));
  const made = await createProject(page, { title: 'Long Night', song: generatedWav('long night.wav'), invited: [{ person: bob, level: 3 }] });
  const region = { versionId: made.versionIds[0], start: 4, end: 9.5, tag: 'mix', label: 'Too quiet' };
  await callApi(page, 'POST', REGION_PATHS.add, { projectId: made._id, submission: region });
  project = `/projects/${made._id}?tab=comments`;
  await page.goto(project);
  await playerOf(page).waitFor();
  ({ page: bobs } = await openAs(server, bob));
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const box = () => composerOf(page).getByRole('textbox', { name: 'New comment' });

/** The accessibility snapshot of a fresh page, with the clock fixed so that relative times do not change. */
async function shown(path: string, until: (page: Page) => Promise<void>): Promise<string> {
  const fresh = await context.newPage();
  await fresh.clock.setFixedTime(Date.now() + anHour);
  await fresh.goto(path);
  await until(fresh);
  const words = await fresh.locator('main').ariaSnapshot();
  await fresh.close();
  return words;
}

async function shownPages(): Promise<readonly string[]> {
  return [
    await shown('/projects', (fresh) => fresh.getByRole('link', { name: 'Long Night' }).waitFor()),
    await shown(project, async (fresh) => {
      await fresh.getByText('1 here now').waitFor();
      await commentsOf(fresh).first().waitFor();
      await fresh.getByText('True peak').waitFor();
      await eventually(async () => expect((await readWavePixels(fresh)).nonEmpty).toBe(1440));
    }),
  ];
}

test(
  'a network failure while the page is still loading parts leaves it open and usable',
  withScreenshots(async () => {
    const late = await context.newPage();
    let release = (): void => undefined;
    const offline = new Promise<void>((resolve) => (release = resolve));
    const lastPart = late.waitForRequest(/\/assets\/tooltip-surface-/);
    await late.route(/\/assets\/(?:tooltip-surface|toast-list|menu-surface)-/, async (route) => {
      await offline;
      await route.abort('internetdisconnected');
    });
    await late.goto(project);
    await playerOf(late).waitFor();
    await lastPart;
    await context.setOffline(true);
    release();
    await late.getByText(OFFLINE).waitFor();
    await playerOf(late).getByRole('button', { name: 'Play', exact: true }).hover();
    const draft = composerOf(late).getByRole('textbox', { name: 'New comment' });
    await draft.fill('Begun without a network');

    const back = await watchFor(late.locator('body'), 'Back online.');
    await context.setOffline(false);
    await back.appeared();
    expect(await draft.inputValue()).toBe('Begun without a network');
    await draft.fill('');
    await late.close();
  }),
);

test(
  'without a network the page shows it is offline, and catches up automatically',
  withScreenshots(async () => {
    await context.setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await bobs.goto(`/ana-reis${project}`);
    await sendComment(bobs, 'Said while Ana was away');
    await bobs.getByRole('article', { name: 'Comment by Bob Stone', exact: true }).waitFor();
    await sendComment(page, 'Said without a network');
    await page.getByRole('article', { name: 'Comment by Ana Reis, not sent yet' }).getByText('Not sent. It is kept here.').waitFor();
    await playerOf(page).getByRole('button', { name: 'Play', exact: true }).click();
    await playerOf(page).getByRole('status').filter({ hasText: 'buffering' }).waitFor();

    const back = await watchFor(page.locator('body'), 'Back online.');
    await context.setOffline(false);
    await back.appeared();
    await playsPast(page, 0.2);
    await playerOf(page).getByRole('button', { name: 'Pause', exact: true }).click();
    await expectComments(page, ['Said without a network', 'Said while Ana was away']);
    await expectComments(bobs, ['Said without a network', 'Said while Ana was away']);
    await bobs.close();
  }),
);

test(
  'the page notices a killed server, reconnects after its restart, and loses nothing',
  withScreenshots(async () => {
    await sendComment(page, 'Said before it happened');
    await expectComments(page, ['Said before it happened', 'Said without a network', 'Said while Ana was away']);
    await eventually(async () => expect(await page.getByRole('article', { name: /not sent yet/ }).count()).toBe(0));

    await server.kill9();
    await page.getByText('Reconnecting. Other people’s changes may be delayed.').waitFor();
    await sendComment(page, 'Said while nobody listened');
    const unsent = page.getByRole('article', { name: 'Comment by Ana Reis, not sent yet' });
    await unsent.getByText('Not sent. It is kept here.').waitFor();
    await box().fill('Begun while nobody listened');

    const back = await watchFor(page.locator('body'), 'Back online.');
    await server.restart();
    await back.shownFor();
    expect(await box().inputValue()).toBe('Begun while nobody listened');
    await unsent.getByRole('button', { name: 'Retry' }).click();
    await unsent.waitFor({ state: 'hidden' });
    await composerOf(page).getByRole('button', { name: 'Send' }).click();
    const everything = [
      'Begun while nobody listened',
      'Said while nobody listened',
      'Said before it happened',
      'Said without a network',
      'Said while Ana was away',
    ];
    await expectComments(page, everything);

    await eventually(async () => expect(await page.getByRole('article', { name: /not sent yet/ }).count()).toBe(0));
    await page.reload();
    await expectComments(page, everything);
    await page.getByRole('button', { name: 'Too quiet, Mix, 0:04.0 to 0:09.5' }).waitFor();
  }),
);

test(
  'deleted read models are rebuilt from the log, and the pages look the same',
  withScreenshots(async () => {
    await page.goto('about:blank');
    const before = await shownPages();
    expect(before[1]).toContain('Said before it happened');

    await server.restart(async () => {
      const files = (await readdir(server.dataFolder)).filter((name) => name.startsWith('read.db'));
      expect(files).toContain('read.db');
      for (const file of files) await rm(join(server.dataFolder, file));
    });
    expect(await shownPages()).toEqual(before);
  }),
);

test('no page logged an error to its console, except for being offline and the killed server', () =>
  expect(consoleErrors(/ net::ERR_INTERNET_DISCONNECTED/, ...serverDownErrors)).toEqual([]));
