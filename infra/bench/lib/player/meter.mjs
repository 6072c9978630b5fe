import { readFileSync } from 'node:fs';
import { createShortTermMeter } from '../../../../contracts/dist/media/loudness.js';
import { playFor, untilMixer, warmUp } from './playing.mjs';
import { openPlayer, projectOf } from './projects.mjs';
import { startRecording, takeRecording } from './recorder.mjs';
import { AUDIO } from './time-zero.mjs';

const FILES = ['coherence-60s.flac', 'mix-2_0-loud-master.mp3', 'nebula-mono.opus'];
const SECONDS = 15;
/** The window has to be full. */
const FROM_SECONDS = 3.5;

/** Short-term loudness of a recording every 10 ms, by the server's code. A mono file counts as one channel, though both outputs play it. */
function shortTermOf({ left, right, rate }, channels) {
  const shortTerm = createShortTermMeter(rate, channels);
  const step = Math.round(rate / 100);
  const values = [];
  for (let at = 0; at + step <= left.length; at += step) {
    shortTerm.push([left.subarray(at, at + step), right.subarray(at, at + step)]);
    values.push(shortTerm.loudness());
  }
  return values;
}

async function oneFile(studio, filename) {
  const { projectId, versions } = await projectOf(studio, [{ wav: readFileSync(AUDIO + filename), filename }]);
  const page = await openPlayer(studio, projectId);
  await warmUp(page);
  await startRecording(page);
  await page.evaluate(() => window.recorder.meters().splice(0));
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: true });
  await playFor(page, SECONDS);
  const readings = await page.evaluate(() => window.recorder.meters());
  const recording = await takeRecording(page);
  await page.context().close();
  const expected = shortTermOf(recording, versions[0].analysis.channels);
  const startsAt = recording.left.findIndex((sample) => sample !== 0) / recording.rate;
  const differences = readings.flatMap(({ shortTerm, state }) => {
    const seconds = state.contextTime - recording.frame / recording.rate;
    const loudness = expected[Math.floor(seconds * 100)];
    return seconds < startsAt + FROM_SECONDS || shortTerm === null || loudness === undefined || loudness === null ? [] : [Math.abs(shortTerm - loudness)];
  });
  return { file: filename, readings: differences.length, 'off by LU, at most': Math.max(...differences).toFixed(2) };
}

/** The meter's short-term loudness against the server's code on the recording. */
export async function meter(studio) {
  const rows = [];
  for (const filename of FILES) rows.push(await oneFile(studio, filename));
  console.table(rows);
  console.log('at most 0.5 LU');
}
