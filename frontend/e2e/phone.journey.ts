import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { playsPast, playbackPosition } from './support/playback';
import { readWavePixels } from './support/wave-pixels';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { commentsOf, composerOf, expectComments, waveOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { createProject } from './support/api';

let server: RunningServer;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  ({ page } = await openAs(server, await addUser(server, 'Ana', 'Reis'), {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  }));
  await createProject(page, { title: 'Pocket Song', song: generatedWav('pocket song.wav') });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** The transport at the bottom of the screen. */
const transport = () => page.getByRole('group', { name: 'Transport' });

const RESTING_SECONDS = 0.3;

/** Puts a finger on the wave, waits as told, moves it to the right, and lifts it once it rests: after a fling, Chromium takes the next tap as its end. */
async function dragWithFinger(from: number, to: number, held: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const box = await waveOf(page).boundingBox();
  if (!box) throw new Error('the wave is not on the page');
  const touch = await page.context().newCDPSession(page);
  const at = (x: number) => ({ touchPoints: [{ x, y: box.y + box.height / 2 }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
  await held();
  for (let x = from; x <= to; x += 10) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: Date.now() / 1_000 + RESTING_SECONDS });
}

test(
  'on a phone a song can be opened and played',
  withScreenshots(async () => {
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Pocket Song' }).tap();
    await eventually(async () => expect((await readWavePixels(page)).nonEmpty).toBeGreaterThan(390));
    await transport().getByRole('button', { name: 'Play' }).tap();
    await playsPast(page, 0.5);
    await transport().getByRole('button', { name: 'Pause' }).tap();
    expect(await playbackPosition(page)).toBeGreaterThan(0.5);
  }),
);

test(
  'a region is drawn with a finger after a hold, and gets a comment',
  withScreenshots(async () => {
    // Drawing begins after a hold.
    await dragWithFinger(100, 200, () => page.getByRole('group', { name: /^Region: / }).waitFor());
    await page.getByRole('button', { name: 'Save region' }).tap();
    await transport().getByRole('button', { name: 'New comment here' }).tap();
    const box = composerOf(page);
    await box.getByRole('textbox', { name: 'New comment' }).fill('From the bus');
    await box.getByText('Tag the selected region').locator('xpath=ancestor::label').tap();
    await box.getByRole('button', { name: 'Send' }).tap();
    await expectComments(page, ['From the bus']);
    await commentsOf(page)
      .getByRole('button', { name: /^General, / })
      .waitFor();
  }),
);

test(
  'drag mode can be switched on, and a finger then moves the region',
  withScreenshots(async () => {
    const region = page.getByRole('list', { name: 'Regions' }).getByRole('button', { name: /^From the bus, General, / });
    const before = await region.getAttribute('aria-label');
    const toggle = page.getByRole('button', { name: 'Drag regions' });
    const isPressed = (expected: string) => eventually(async () => expect(await toggle.getAttribute('aria-pressed')).toBe(expected));
    await toggle.tap();
    await isPressed('true');
    await dragWithFinger(150, 190);
    await eventually(async () => expect(await region.getAttribute('aria-label')).not.toBe(before));
    await toggle.tap();
    await isPressed('false');
  }),
);

test(
  'under 768 px the transport is at the bottom of the screen, from 768 px on above the wave',
  withScreenshots(async () => {
    const boxes = async () => {
      const [keys, wave] = [await transport().boundingBox(), await waveOf(page).boundingBox()];
      if (!keys || !wave) throw new Error('the transport or the wave is not on the page');
      return { isAbove: keys.y + keys.height <= wave.y, bottom: Math.round(keys.y + keys.height) };
    };
    await page.setViewportSize({ width: 767, height: 844 });
    await eventually(async () => expect(await boxes()).toEqual({ isAbove: false, bottom: 844 }));
    await page.setViewportSize({ width: 768, height: 844 });
    await eventually(async () => expect((await boxes()).isAbove).toBe(true));
    expect(await transport().count()).toBe(1);
  }),
);

test('no page logged an error to its console', () => expect(consoleErrors()).toEqual([]));
