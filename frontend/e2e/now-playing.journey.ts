import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { callApi, createProject } from './support/api';
import { generatedWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { withScreenshots } from './support/journey';
import { addUser, openAs, type Person } from './support/people';
import { isSilent, longestGapDuring, playbackPosition, playsPast } from './support/playback';
import { playerOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { watchFor } from './support/transient-text';

const title = 'Long Walk';
const seconds = 60;
const otherTitle = 'Short Walk';
const otherSeconds = 10;
/** Playback must end this soon after the right to listen. */
const lossLimitMs = 5_000;
const gapLimitMs = 5;
let server: RunningServer;
let ana: Person;
let vic: Person;
let owner: Page;
let listener: Page;
let projectId: string;

beforeAll(async () => {
  server = await startServer();
  ana = await addUser(server, 'Ana', 'Reis');
  vic = await addUser(server, 'Vic', 'Lane');
  [{ page: owner }, { page: listener }] = await Promise.all([openAs(server, ana), openAs(server, vic)]);
  const invited = [{ person: vic, level: 0 }] as const;
  await createProject(owner, { title: otherTitle, song: generatedWav('short walk.wav', otherSeconds), invited });
  const project = await createProject(owner, { title, song: generatedWav('long walk.wav', seconds), invited });
  projectId = project._id;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Now playing' });

const toList = (page: Page): Promise<void> => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click();

/** Opens the project from the list, plays it, and returns to the list. */
async function playAndLeave(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: title }).click();
  await playerOf(page).getByRole('button', { name: 'Play', exact: true }).click();
  await playsPast(page, 0.5);
  await toList(page);
  await barOf(page).waitFor();
}

/** How long after `act` the page was silent and the bar gone, in milliseconds. */
async function endOfPlayback(page: Page, act: () => Promise<unknown>): Promise<number> {
  const position = await playbackPosition(page);
  await playsPast(page, position);
  const from = Date.now();
  await act();
  await barOf(page).waitFor({ state: 'hidden' });
  await isSilent(page);
  return Date.now() - from;
}

test(
  'music keeps playing in the list, where the bar shows it and seeks',
  withScreenshots(async () => {
    await listener.goto('/projects');
    await playAndLeave(listener);
    await barOf(listener).getByText('1.0 Initial Version').waitFor();
    const left = await playbackPosition(listener);
    await playsPast(listener, left + 0.5);

    const box = await barOf(listener).getByRole('slider', { name: 'Seek' }).boundingBox();
    if (!box) throw new Error('the bar has no wave');
    await listener.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await playsPast(listener, seconds / 2);
    expect(await playbackPosition(listener)).toBeLessThan(seconds / 2 + 10);
  }),
);

test(
  'the bar leads back to the project, and the music keeps playing without a gap',
  withScreenshots(async () => {
    const before = await playbackPosition(listener);
    const gap = await longestGapDuring(listener, async () => {
      await barOf(listener).getByRole('link', { name: title }).click();
      await playerOf(listener).getByRole('button', { name: 'Pause', exact: true }).waitFor();
      await barOf(listener).waitFor({ state: 'hidden' });
      await playsPast(listener, before + 0.5);
    });
    expect(gap).toBeLessThan(gapLimitMs);
    expect(new URL(listener.url()).pathname).toBe(`/ana-reis/projects/${projectId}`);
    expect(await playbackPosition(listener)).toBeLessThan(before + 10);
  }),
);

test(
  'opening another project does not interrupt the music; playing it starts from its beginning',
  withScreenshots(async () => {
    await toList(listener);
    await listener.getByRole('main').getByRole('link', { name: otherTitle }).click();
    await barOf(listener).getByRole('button', { name: 'Pause' }).waitFor();
    await playerOf(listener).getByRole('button', { name: 'Play', exact: true }).click();
    await barOf(listener).waitFor({ state: 'hidden' });
    await playsPast(listener, 0.2);
    expect(await playbackPosition(listener)).toBeLessThan(otherSeconds / 2);
    await toList(listener);
    await playAndLeave(listener);
  }),
);

test(
  'playback stops within 5 s for a removed member, on any page',
  withScreenshots(async () => {
    const toast = await watchFor(listener.locator('body'), `Ana Reis removed you from ${title}`);
    const removed = { permissionDiffs: [{ uid: vic.uid, permissions: { comment: false, download: false }, write: false, removed: true }] };
    expect(await endOfPlayback(listener, () => callApi(owner, 'PUT', PROJECT_PATHS.editPermissions(ana.uid, projectId), removed))).toBeLessThan(lossLimitMs);
    await toast.appeared();
  }),
);

test(
  'playback stops within 5 s for a guest when the project becomes private, on any page',
  withScreenshots(async () => {
    const show = (visibility: 'public' | 'private') => callApi(owner, 'PUT', PROJECT_PATHS.edit(projectId), { submission: { visibility } });
    await show('public');
    const guest = await (await openContext({ baseURL: server.address })).newPage();
    await guest.goto('/login');
    await guest.getByRole('button', { name: 'Look around as a guest' }).click();
    await playAndLeave(guest);
    const toast = await watchFor(guest.locator('body'), `${title} is now private.`);
    expect(await endOfPlayback(guest, () => show('private'))).toBeLessThan(lossLimitMs);
    await toast.appeared();
  }),
);

/** The addresses of the peaks that the page has drawn, and whether the browser still has them without asking the server. */
async function cachedPeaks(page: Page): Promise<readonly boolean[]> {
  return page.evaluate(async () => {
    const urls = performance.getEntriesByType('resource').flatMap(({ name }) => (name.includes('/peaks') ? [name] : []));
    const isCached = (url: string) =>
      fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      );
    return Promise.all([...new Set(urls)].map(isCached));
  });
}

test(
  'after a sign-out in another tab playback stops here within 5 s, and the browser keeps no peaks',
  withScreenshots(async () => {
    await owner.goto('/projects');
    await playAndLeave(owner);
    expect(await cachedPeaks(owner)).toContain(true);
    const other = await owner.context().newPage();
    await other.goto('/projects');
    const signOut = async () => {
      await other.getByRole('button', { name: /^Account menu/ }).click();
      await other.getByRole('menuitem', { name: 'Sign Out' }).click();
      await other.waitForURL('**/login');
    };
    expect(await endOfPlayback(owner, signOut)).toBeLessThan(lossLimitMs);
    await owner.getByRole('dialog', { name: 'Log In' }).waitFor();
    const left = await cachedPeaks(owner);
    expect([left.length > 0, left.includes(true)]).toEqual([true, false]);
  }),
);

test('no page logged an error to its console', () => expect(consoleErrors(/ERR_CACHE_MISS \/api\/media\/\w+\/peaks/)).toEqual([]));
