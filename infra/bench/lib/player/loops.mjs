import { playFor, setSlider, untilMixer, warmUp } from './playing.mjs';
import { decodedAudio, openPlayer, projectOf } from './projects.mjs';
import { startRecording, takeRecording } from './recorder.mjs';
import { sweep, wavOf } from './signals.mjs';
import { bestLag, firstSound, largestStep, longestSilence } from './sound.mjs';

/** The sweep is steepest in its middle, not at its seam. */
const LOOP = { start: 1.5, end: 2.5 };
const SECONDS = 12;
const PIECE_SECONDS = 5;
/** The seam's crossfade takes 5 ms; the start of a turn is recognised by what comes after it. */
const AFTER_SEAM = 0.02;
const SNIPPET_SECONDS = 0.1;
const SETTINGS = [
  { tempo: 1, pitch: 1 },
  { tempo: 0.75, pitch: 1 },
  { tempo: 1, pitch: 1.5 },
  { tempo: 1.5, pitch: 0.75 },
];

/** Loops one second with a region, and records so many turns. */
async function recordTurns(page, turns, { tempo, requests }) {
  const pieces = [];
  await startRecording(page);
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: true });
  await playFor(page, 1 / tempo);
  requests.length = 0;
  for (let left = turns / tempo; left > 0; left -= PIECE_SECONDS) {
    await playFor(page, Math.min(PIECE_SECONDS, left));
    pieces.push(await takeRecording(page));
  }
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: false });
  const [first, last] = [pieces[0], pieces.at(-1)];
  const left = new Float32Array(last.frame + last.left.length - first.frame);
  for (const piece of pieces) left.set(piece.left, piece.frame - first.frame);
  return { left, rate: first.rate };
}

/** Where each turn starts, in frames of the recording, at the original tempo. */
function startsOf({ left, rate }, source, turns) {
  const from = Math.round((LOOP.start + AFTER_SEAM) * rate);
  const snippet = source.subarray(from, from + Math.round(SNIPPET_SECONDS * rate));
  const length = (LOOP.end - LOOP.start) * rate;
  const near = firstSound(left) + AFTER_SEAM * rate;
  const reach = Math.round(0.05 * rate);
  return Array.from({ length: turns }, (_, turn) => {
    const expected = Math.max(0, Math.round(near + turn * length) - reach);
    return expected + bestLag(snippet, left.subarray(expected, expected + 2 * reach + snippet.length)).lag;
  });
}

/** Loop seams and drift, at the original tempo and pitch and at others. */
export async function loops(studio, { turns }) {
  const samples = sweep(SECONDS, 4);
  const { projectId, versions } = await projectOf(studio, [wavOf(samples, samples)]);
  const source = (await decodedAudio(studio, versions[0]._id)).left;
  await studio.who.must('POST', '/api/regions', { projectId, submission: { versionId: versions[0]._id, ...LOOP, label: 'Turn', tag: 'mix' } });
  const page = await openPlayer(studio, projectId);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await warmUp(page);
  await page.getByRole('button', { name: /^Turn,/ }).click();
  await page.keyboard.press('l');
  const rows = [];
  for (const setting of SETTINGS) {
    await setSlider(page, 'Tempo', setting.tempo);
    await setSlider(page, 'Pitch', setting.pitch);
    const isPlain = setting.tempo === 1 && setting.pitch === 1;
    const count = isPlain ? turns : Math.min(turns, 20);
    const recording = await recordTurns(page, count, { ...setting, requests });
    const edge = Math.round(0.1 * recording.rate);
    const first = firstSound(recording.left);
    const whole = largestStep(recording.left, first + edge, recording.left.length - edge);
    const starts = isPlain ? startsOf(recording, source, count) : [];
    rows.push({
      ...setting,
      turns: count,
      'largest step, times the own': (whole / (largestStep(source) * setting.pitch)).toFixed(3),
      'longest silence ms': longestSilence(recording).toFixed(2),
      'last start off by ms': isPlain ? (((starts.at(-1) - starts[0]) / recording.rate - (count - 1) * (LOOP.end - LOOP.start)) * 1_000).toFixed(3) : '',
      requests: requests.filter((url) => url.includes('/api/media/')).length,
    });
  }
  await page.context().close();
  console.table(rows);
  console.log("at most 1 ms off, no step larger than the signal's own, no request after the first turn");
}
