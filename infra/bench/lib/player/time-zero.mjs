// Compares time zero of a file in a media element, in decodeAudioData and in the server's peaks.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodePeaks } from '../../../../contracts/dist/media/peaks.js';
import { aProject, pageOf, reactorsDone } from '../../../faults/lib/studio.mjs';
import { encoderVariants } from './encoders.mjs';
import { samplesOf, startRecording, takeRecording } from './recorder.mjs';
import { bestLag, firstSound } from './sound.mjs';
import { recordedPage } from './studio.mjs';

export const AUDIO = fileURLToPath(new URL('../../../../../shared/audio/', import.meta.url));
const isSong = (name) => /\.(mp3|m4a|ogg|opus|flac|wav)$/.test(name);
const SNIPPET = 8_192;
const AROUND_SECONDS = 1;
const FARTHEST_PEAKS = 6_000;
/** Where the element seeks to, as shares of the length. */
const SHARES = [0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9];

/** In the page: loads a file for the element and decodes it, at its own rate for the peaks and at the context's for the element. */
async function prepare([url, fileRate]) {
  const bytes = await (await fetch(url)).arrayBuffer();
  const decode = (rate) => new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes.slice(0));
  const context = new AudioContext();
  await window.recorder.isReady();
  const element = new Audio(url);
  context.createMediaElementSource(element).connect(context.destination);
  await new Promise((resolve, reject) => Object.assign(element, { oncanplay: resolve, onerror: () => reject(new Error(element.error.message)) }));
  window.song = { element, own: await decode(fileRate), heard: await decode(context.sampleRate) };
  return { frames: window.song.own.length, elementSeconds: element.duration };
}

/** Samples of the first channel of the decoded song in the page. */
const samplesIn = async (page, which, from, frames) =>
  samplesOf(
    await page.evaluate(
      ([name, start, count]) => window.recorder.base64(window.song[name].getChannelData(0).slice(start, start + count)),
      [which, Math.max(0, Math.round(from)), Math.round(frames)],
    ),
  );

/** In the page: plays one second from a position. */
async function playFrom(seconds) {
  const { element } = window.song;
  element.currentTime = seconds;
  if (element.seeking) await new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }));
  await element.play();
  await new Promise((resolve) => {
    const look = () => (element.currentTime > seconds + 0.6 ? resolve() : setTimeout(look, 20));
    look();
  });
  element.pause();
}

/** Delay of the element in ms when it plays from a position: its first audible sample against the decoded audio at that position. */
async function elementOffset(page, seconds) {
  await startRecording(page);
  await page.evaluate(playFrom, seconds);
  const { rate, left } = await takeRecording(page);
  const first = firstSound(left);
  const inside = 2_048;
  const from = Math.max(0, Math.round((seconds - AROUND_SECONDS) * rate));
  const decoded = await samplesIn(page, 'heard', from, 2 * AROUND_SECONDS * rate + SNIPPET);
  const { lag, correlation } = bestLag(left.subarray(first + inside, first + inside + SNIPPET), decoded);
  const silence = firstSound(decoded.subarray(Math.max(0, Math.round(seconds * rate) - from)));
  return { ms: 1_000 * (seconds - (from + lag - inside - silence) / rate), correlation };
}

/** Delay of the server's peaks against the decoded audio, in ms. */
async function peaksOffset(page, peaks, rate) {
  const columns = Math.min(peaks.columns - 1, 2_000);
  const skipped = Math.ceil(FARTHEST_PEAKS / peaks.samplesPerColumn);
  const samples = await samplesIn(page, 'own', 0, (columns + 2 * skipped) * peaks.samplesPerColumn);
  const distance = (lag) => {
    let sum = 0;
    for (let column = skipped; column < columns; column += 1) {
      const from = column * peaks.samplesPerColumn - lag;
      let squares = 0;
      for (let at = from; at < from + peaks.samplesPerColumn; at += 1) squares += (samples[at] ?? 0) ** 2;
      sum += Math.abs(127 * Math.sqrt(squares / peaks.samplesPerColumn) - peaks.values[column * peaks.channels * 3 + 2]);
    }
    return sum;
  };
  const best = (from, to, step) => {
    let found = from;
    for (let lag = from; lag <= to; lag += step) if (distance(lag) < distance(found)) found = lag;
    return found;
  };
  const coarse = best(-FARTHEST_PEAKS, FARTHEST_PEAKS, 64);
  return (1_000 * best(coarse - 64, coarse + 64, 4)) / rate;
}

async function songOffsets(studio, { name, bytes }) {
  const { who } = studio;
  const { projectId, versionId } = await aProject(who, { projectName: name, wav: bytes, filename: name });
  await reactorsDone(who);
  const { versions } = await pageOf(who, projectId);
  const { analysis, peaksLevels } = versions.find(({ _id }) => _id === versionId);
  const peaks = decodePeaks(await who.must('GET', `/api/media/${versionId}/peaks?level=${peaksLevels - 1}`));
  const page = await recordedPage(studio);
  await page.goto(`${who.url}/login`);
  const { frames, elementSeconds } = await page.evaluate(prepare, [`/api/media/${versionId}/audio`, analysis.sampleRate]);
  const elements = [];
  for (const share of SHARES) elements.push(await elementOffset(page, share * Math.floor(analysis.duration)));
  const peaksMs = await peaksOffset(page, peaks, analysis.sampleRate);
  await page.context().close();
  const afterSeeks = elements.slice(1).map(({ ms }) => ms);
  return {
    file: name,
    'decoded s': (frames / analysis.sampleRate).toFixed(4),
    'server s': analysis.duration.toFixed(4),
    'element s': elementSeconds.toFixed(4),
    'peaks ms': peaksMs.toFixed(1),
    'element at 0 ms': elements[0].ms.toFixed(1),
    'after seeks ms': `${Math.min(...afterSeeks).toFixed(1)} to ${Math.max(...afterSeeks).toFixed(1)}`,
    correlation: Math.min(...elements.map(({ correlation }) => correlation)).toFixed(3),
  };
}

async function offsetsOf(studio, songs) {
  const rows = [];
  for (const song of songs) rows.push(await songOffsets(studio, song));
  console.table(rows);
  console.log('ms by which peaks and element are late against decodeAudioData; the bar is 5 ms');
}

/** The songs of ../shared/audio. */
export const timeZero = (studio) =>
  offsetsOf(
    studio,
    readdirSync(AUDIO)
      .filter(isSong)
      .map((name) => ({ name, bytes: readFileSync(AUDIO + name) })),
  );

/** Two of them as other encoders would have written them. */
export const encoders = (studio) => offsetsOf(studio, encoderVariants(AUDIO));
