import { readdirSync, readFileSync } from 'node:fs';
import { mixerState, playFor, untilMixer } from './playing.mjs';
import { decodedAudio, openPlayer, projectOf } from './projects.mjs';
import { startRecording, takeRecording } from './recorder.mjs';
import { noise, wavOf } from './signals.mjs';
import { aheadIn, firstSound } from './sound.mjs';
import { AUDIO } from './time-zero.mjs';

const SECONDS_AFTER = 1;
const BLOCK = 2_048;
const FLOOR = 1e-4;
/** Search range around steady playback, in seconds. */
const REACH_SECONDS = 1;
/** Blocks around the move that are compared; the move may be in one of those beside it. */
const BESIDE = 4;
/** Where playback starts, as shares of the length. */
const STARTS = [0, 0.3, 0.7];

async function recordFirstPlay(studio, projectId, seconds) {
  const page = await openPlayer(studio, projectId, { query: seconds === 0 ? '' : `?t=${seconds}` });
  await startRecording(page);
  await page.keyboard.press('Space');
  await untilMixer(page, { source: 'buffer', isPlaying: true });
  await playFor(page, SECONDS_AFTER);
  const recording = await takeRecording(page);
  const movedAt = await page.evaluate(() => window.recorder.handovers().at(-1));
  const { contextTime, position } = await mixerState(page);
  await page.context().close();
  return {
    ...recording,
    moved: Math.round(movedAt * recording.rate) - recording.frame,
    known: { at: contextTime * recording.rate - recording.frame, position },
  };
}

/** Compares a first play with its source: what is missing at the hand-over (negative: repeated), and what the stream skipped or stalled before. */
function followed({ left, rate, moved, known }, source) {
  const begin = firstSound(left, FLOOR) + Math.round(0.01 * rate);
  const end = Math.min(left.length, Math.floor(known.at));
  const reach = Math.round(REACH_SECONDS * rate);
  const place = Math.round(known.position * rate) - (Math.floor(known.at) - end);
  const blocks = aheadIn(left, source, { from: begin, end, place, reach, block: BLOCK });
  const at = blocks.findIndex((block) => block.at + BLOCK > moved);
  const [before, after] = [blocks.slice(Math.max(0, at - BESIDE), Math.max(0, at - 1)), blocks.slice(at + 2, at + 2 + BESIDE)].map(
    (side) => side.find(({ ahead }) => ahead !== null)?.ahead ?? NaN,
  );
  const first = blocks.find(({ ahead }) => ahead !== null)?.ahead ?? NaN;
  const inMs = (samples) => ((samples * 1_000) / rate).toFixed(2);
  return {
    'stream for s': ((moved - begin) / rate).toFixed(1),
    'missing at the move ms': inMs(after - before),
    'by the stream ms': inMs(before - first),
    'blocks unknown': `${blocks.filter(({ ahead }) => ahead === null).length} of ${blocks.length}`,
    'off its clock ms': inMs(after),
  };
}

async function oneFile(studio, name, file) {
  const { projectId, versions } = await projectOf(studio, [file]);
  const source = await decodedAudio(studio, versions[0]._id);
  const rows = [];
  for (const share of STARTS) {
    const seconds = Math.round(share * versions[0].duration);
    rows.push({ file: name, from: seconds, ...followed(await recordFirstPlay(studio, projectId, seconds), source.left) });
  }
  return rows;
}

/** The first play of every format, from the stream to decoded audio: missing or repeated audio. */
export async function handover(studio) {
  const rows = await oneFile(studio, 'noise', wavOf(noise(40, 11), noise(40, 12)));
  for (const filename of readdirSync(AUDIO).filter((name) => /\.(mp3|m4a|ogg|opus|flac|wav)$/.test(name))) {
    rows.push(...(await oneFile(studio, filename, { wav: readFileSync(AUDIO + filename), filename })));
  }
  console.table(rows);
  console.log('missing at the hand-over: at most 5 ms, negative: repeated');
}
