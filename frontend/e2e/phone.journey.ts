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

/** Holds a finger on the wave, then draws to the right. */
async function drawWithFinger(from: number, to: number): Promise<void> {
  const box = await waveOf(page).boundingBox();
  if (!box) throw new Error('the wave is not on the page');
  const touch = await page.context().newCDPSession(page);
  const at = (x: number) => ({ touchPoints: [{ x, y: box.y + box.height / 2 }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
  await page.getByRole('group', { name: /^Region: / }).waitFor();
  for (let x = from; x <= to; x += 10) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
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
    await drawWithFinger(100, 200);
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

test('no page logged an error to its console', () => expect(consoleErrors()).toEqual([]));
