import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { playButton, playFor, recordFor, setSlider, untilMixer } from '../../infra/bench/lib/player/playing.mjs';
import { recordOutput, startRecording, takeRecording } from '../../infra/bench/lib/player/recorder.mjs';
import { sweep, tone, wavOf } from '../../infra/bench/lib/player/signals.mjs';
import { bestLag, cents, frequencyOf, longestSilence } from '../../infra/bench/lib/player/sound.mjs';
import { addVersion, callApi, createProject } from './support/api';
import type { AudioFile } from './support/audio';
import { closeBrowser } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { type RunningServer, startServer } from './support/server';

const SECONDS = 30;
const TONES = { '1': 440, '2': 550 } as const;
/** A whole second of the part that is not a tone. */
const LOOP = { start: 22, end: 23 };
const TURNS = 3;

let server: RunningServer;
let page: Page;
let versionIds: readonly Id[];

/** A tone for 20 s, then ten seconds in which no moment is like another. */
function song(name: string, frequency: number): AudioFile {
  const samples = new Float32Array(SECONDS * 48_000);
  samples.set(tone(SECONDS, frequency));
  samples.set(sweep(10, 20), 20 * 48_000);
  return { name, mimeType: 'audio/wav', buffer: wavOf(samples, samples) };
}

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  const opened = await openAs(server, ana, { bypassCSP: true });
  await recordOutput(opened.context);
  page = opened.page;
  const {
    _id: projectId,
    versionIds: [first],
  } = await createProject(page, { title: 'Two Takes', song: song('take 1.wav', TONES['1']) });
  versionIds = await addVersion(page, projectId, song('take 2.wav', TONES['2']));
  await callApi(page, 'POST', REGION_PATHS.add, { projectId, submission: { versionId: first, ...LOOP, tag: 'mix', label: 'Turn' } });
  await page.goto(`/projects/${projectId}`);
  await playButton(page).waitFor();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** Cents between what a recording's middle half sounds and a tone. */
function offBy({ left, rate }: { readonly left: Float32Array; readonly rate: number }, hertz: number): number {
  const quarter = Math.floor(left.length / 4);
  return Math.abs(cents(frequencyOf(left.subarray(quarter, 3 * quarter), rate, hertz), hertz));
}

test(
  'a switch to another version keeps the playhead, without a gap',
  withScreenshots(async () => {
    await page.keyboard.press('1');
    await page.keyboard.press('Space');
    await untilMixer(page, { source: 'buffer', isPlaying: true });
    await page.keyboard.press('2');
    await untilMixer(page, { source: 'buffer', trackId: versionIds[1] });
    expect(offBy(await recordFor(page, 1), TONES['2'])).toBeLessThan(5);

    await startRecording(page);
    await page.keyboard.press('1');
    await playFor(page, 0.5);
    expect(longestSilence(await takeRecording(page))).toBeLessThan(5);
    expect(offBy(await recordFor(page, 1), TONES['1'])).toBeLessThan(5);
  }),
);

test(
  "the pitch changes during playback, by the slider's value",
  withScreenshots(async () => {
    await setSlider(page, 'Pitch', 1.5);
    await playFor(page, 0.5);
    expect(offBy(await recordFor(page, 1), TONES['1'] * 1.5)).toBeLessThan(5);
    await page.keyboard.press('0');
    await playFor(page, 0.5);
    expect(offBy(await recordFor(page, 1), TONES['1'])).toBeLessThan(5);
    await page.keyboard.press('Space');
    await untilMixer(page, { isPlaying: false });
  }),
);

test(
  'a loop of a region returns to its start after exactly its length',
  withScreenshots(async () => {
    await page.getByRole('button', { name: /^Turn, / }).click();
    await page.keyboard.press('l');
    await page.keyboard.press('Space');
    await untilMixer(page, { isPlaying: true });
    await playFor(page, 0.3);
    const { left, rate } = await recordFor(page, TURNS + 0.5);
    const snippet = left.subarray(0, rate / 4);
    const returns = Array.from({ length: TURNS }, (_, turn) => {
      const from = (turn + 1) * rate - rate / 10;
      const { lag, correlation } = bestLag(snippet, left.subarray(from, from + rate / 5 + snippet.length));
      return { lateMs: Math.abs(Math.round((1_000 * (from + lag)) / rate - 1_000 * (turn + 1))), fits: correlation > 0.99 };
    });
    expect(returns).toEqual(returns.map(() => ({ lateMs: 0, fits: true })));
    await page.keyboard.press('Space');
  }),
);

test('no page logged an error to its console', () => expect(consoleErrors()).toEqual([]));
