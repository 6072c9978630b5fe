import { readFileSync } from 'node:fs';
import { createLoudnessMeter } from '../../../../backend/dist/media/loudness.js';
import { playFor, recordWhole, untilMixer, warmUp } from './playing.mjs';
import { decodedAudio, openPlayer, projectOf } from './projects.mjs';
import { startRecording, takeRecording } from './recorder.mjs';
import { noise, wavOf } from './signals.mjs';
import { bestLag, decibels, energy, longestSilence } from './sound.mjs';
import { AUDIO } from './time-zero.mjs';

const SECONDS = 30;
const SWITCHES = 12;
const BETWEEN = 0.4;
/** Levels are compared in windows of 5 ms around every switch. */
const WINDOW_MS = 5;
const AROUND_MS = 60;
const SNIPPET = 4_096;
const SILENT = 1e-4;

/** Plays from the start and switches between two versions. */
async function recordSwitches(page, keys) {
  await page.evaluate(() => window.recorder.switches().splice(0));
  await startRecording(page);
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: true, source: 'buffer' });
  for (let turn = 0; turn < SWITCHES; turn += 1) {
    await playFor(page, BETWEEN);
    await page.keyboard.press(keys[turn % 2]);
  }
  await playFor(page, BETWEEN);
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: false });
  return takeRecording(page);
}

/** Deviation of the levels around the switches from the range between the two versions, in dB, averaged over all switches. */
function levelError(recording, [one, other], switches, lag) {
  const window = Math.round((recording.rate * WINDOW_MS) / 1_000);
  const steps = AROUND_MS / WINDOW_MS;
  let worst = 0;
  for (let step = -steps; step < steps; step += 1) {
    let [heard, first, second] = [0, 0, 0];
    for (const at of switches) {
      const from = at + step * window;
      for (const side of ['left', 'right']) {
        heard += energy(recording[side], from, from + window);
        first += energy(one[side], from + lag, from + lag + window);
        second += energy(other[side], from + lag, from + lag + window);
      }
    }
    const above = decibels(Math.sqrt(heard / Math.max(first, second)));
    const below = decibels(Math.sqrt(heard / Math.min(first, second)));
    worst = Math.max(worst, above, -below);
  }
  return worst;
}

const turnedBy = ({ left, right }, gain) => ({ left: left.map((sample) => sample * gain), right: right.map((sample) => sample * gain) });
const loudnessOf = ({ left, right }, rate) => {
  const meter = createLoudnessMeter(rate, 2);
  meter.push([left, right]);
  return meter.result().loudness;
};

async function onePair(studio, name, { projectId, versions, keys }) {
  const page = await openPlayer(studio, projectId);
  for (const key of keys) {
    await page.keyboard.press(key);
    await warmUp(page);
  }
  const recording = await recordSwitches(page, keys);
  const switches = (await page.evaluate(() => window.recorder.switches().splice(0))).map((seconds) => Math.round(seconds * recording.rate) - recording.frame);
  await page.context().close();
  const sources = [];
  for (const key of keys) sources.push(await decodedAudio(studio, versions[Number(key) - 1]._id));
  const stored = versions.map(({ analysis }) => analysis.loudness);
  const matched = sources.map((source, at) => turnedBy(source, 10 ** ((Math.min(...stored) - stored[Number(keys[at]) - 1]) / 20)));
  const from = recording.left.findIndex((sample) => Math.abs(sample) > SILENT) + Math.round(0.1 * recording.rate);
  const snippet = recording.left.subarray(from, from + SNIPPET);
  const fits = matched.map(({ left }) => bestLag(snippet, left.subarray(0, 20 * recording.rate)));
  const best = fits[0].correlation > fits[1].correlation ? fits[0] : fits[1];
  const lag = Math.round(best.lag) - from;
  return {
    pair: name,
    switches: switches.length,
    'longest silence ms': longestSilence(recording).toFixed(2),
    'level off by dB': levelError(recording, matched, switches, lag).toFixed(2),
  };
}

/** Switching between noise of correlation 0 and 1 and between three mixes: gaps and levels. */
export async function switching(studio) {
  const [one, other, right, otherRight] = [1, 2, 3, 4].map((seed) => noise(SECONDS, seed));
  const noises = await projectOf(studio, [
    wavOf(one, right),
    wavOf(other, otherRight),
    wavOf(
      one.map((sample) => sample * 0.999),
      right,
    ),
  ]);
  const rows = [await onePair(studio, 'noise, correlation 0', { ...noises, keys: ['1', '2'] })];
  rows.push(await onePair(studio, 'noise, correlation 1', { ...noises, keys: ['1', '3'] }));
  const songs = await mixes(studio);
  for (const keys of [
    ['1', '2'],
    ['2', '3'],
    ['1', '3'],
  ])
    rows.push(await onePair(studio, `mixes ${keys.join(' and ')}`, { ...songs, keys }));
  console.table(rows);
  console.log(`${SWITCHES} switches each; no gap above 5 ms, at most 1 dB outside the levels of the two, in windows of ${WINDOW_MS} ms`);
}

const mixes = (studio) =>
  projectOf(
    studio,
    ['mix-1_0-demo.mp3', 'mix-1_1-more-bass.mp3', 'mix-2_0-loud-master.mp3'].map((filename) => ({ wav: readFileSync(AUDIO + filename), filename })),
  );

/** The loudness of each of the three mixes as played, by the server's meter. */
export async function matching(studio) {
  const { projectId, versions } = await mixes(studio);
  const page = await openPlayer(studio, projectId);
  const heard = [];
  for (const key of ['1', '2', '3']) {
    await page.keyboard.press(key);
    await warmUp(page);
    const recording = await recordWhole(page);
    heard.push(loudnessOf(recording, recording.rate));
  }
  await page.context().close();
  console.table(versions.map(({ analysis }, at) => ({ version: at + 1, 'file LUFS': analysis.loudness.toFixed(2), 'played LUFS': heard[at].toFixed(2) })));
  console.log(`spread ${(Math.max(...heard) - Math.min(...heard)).toFixed(2)} LU, at most 0.5`);
}
