import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { madeWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { complaints, serverAway } from './support/complaints';
import { watchFor } from './support/in-passing';
import { inkOf } from './support/ink';
import { eventually, pictured } from './support/journey';
import { addUser, enter } from './support/people';
import { commentsOf, composerOf, expectSaid, playerOf, say } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { ask, makeProject } from './support/studio';

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
  ({ context, page } = await enter(server, ana));
  const made = await makeProject(page, { title: 'Long Night', song: madeWav('long night.wav'), invited: [{ person: bob, level: 3 }] });
  const region = { versionId: made.versionIds[0], start: 4, end: 9.5, tag: 'mix', label: 'Too quiet' };
  await ask(page, 'POST', REGION_PATHS.add, { projectId: made._id, submission: region });
  project = `/projects/${made._id}`;
  await page.goto(project);
  await playerOf(page).waitFor();
  ({ page: bobs } = await enter(server, bob));
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const box = () => composerOf(page).getByRole('textbox', { name: 'New comment' });

/** Everything that a fresh page says and offers, by role, name and text, an hour from now so that no minute turns in between. */
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
      await eventually(async () => expect((await inkOf(fresh)).inked).toBe(1440));
    }),
  ];
}

test(
  'a network that fails before the last parts of the page are loaded leaves the page open and usable',
  pictured(async () => {
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
    await back.came();
    expect(await draft.inputValue()).toBe('Begun without a network');
    await draft.fill('');
    await late.close();
  }),
);

test(
  'without a network the page says so, and catches up by itself',
  pictured(async () => {
    await context.setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await playerOf(page).getByRole('button', { name: 'Play', exact: true }).click();
    const failed = playerOf(page).getByRole('alert').filter({ hasText: 'Unable to load media' });
    await failed.waitFor();
    await bobs.goto(`/ana-reis${project}`);
    await say(bobs, 'Said while Ana was away');
    await bobs.getByRole('article', { name: 'Comment by Bob Stone', exact: true }).waitFor();
    await say(page, 'Said without a network');
    await page.getByRole('article', { name: 'Comment by Ana Reis, not sent yet' }).getByText('Not sent. It is kept here.').waitFor();

    const back = await watchFor(page.locator('body'), 'Back online.');
    await context.setOffline(false);
    await back.came();
    await failed.waitFor({ state: 'hidden' });
    await expectSaid(page, ['Said without a network', 'Said while Ana was away']);
    await expectSaid(bobs, ['Said without a network', 'Said while Ana was away']);
    await bobs.close();
  }),
);

test(
  'a killed server is noticed, comes back, and nothing is lost',
  pictured(async () => {
    await say(page, 'Said before it happened');
    await expectSaid(page, ['Said before it happened', 'Said without a network', 'Said while Ana was away']);
    await eventually(async () => expect(await page.getByRole('article', { name: /not sent yet/ }).count()).toBe(0));

    await server.kill9();
    await page.getByText('Reconnecting. Other people’s changes may be delayed.').waitFor();
    await say(page, 'Said while nobody listened');
    const kept = page.getByRole('article', { name: 'Comment by Ana Reis, not sent yet' });
    await kept.getByText('Not sent. It is kept here.').waitFor();
    await box().fill('Begun while nobody listened');

    const back = await watchFor(page.locator('body'), 'Back online.');
    await server.restart();
    await back.stood();
    expect(await box().inputValue()).toBe('Begun while nobody listened');
    await kept.getByRole('button', { name: 'Retry' }).click();
    await kept.waitFor({ state: 'hidden' });
    await composerOf(page).getByRole('button', { name: 'Send' }).click();
    const everything = [
      'Begun while nobody listened',
      'Said while nobody listened',
      'Said before it happened',
      'Said without a network',
      'Said while Ana was away',
    ];
    await expectSaid(page, everything);

    await eventually(async () => expect(await page.getByRole('article', { name: /not sent yet/ }).count()).toBe(0));
    await page.reload();
    await expectSaid(page, everything);
    await page.getByRole('button', { name: 'Too quiet, Mix, 0:04.0 to 0:09.5' }).waitFor();
  }),
);

test(
  'the read models can be thrown away: the log makes the same pages again',
  pictured(async () => {
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

test('no page complained in its console but of being offline and of the server that was killed', () =>
  expect(complaints(/ net::ERR_INTERNET_DISCONNECTED/, ...serverAway)).toEqual([]));
