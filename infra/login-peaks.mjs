// Regenerates the waveform of the login page: the peaks of the demo song Low Tide 2.0, merged to mono.
// Usage: node infra/login-peaks.mjs   (after npm run build)
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { decodePeaks, encodePeaks, VALUES_PER_CHANNEL } from '../contracts/dist/media/peaks.js';
import { renderSong } from '../backend/dist/demo/music/render-song.js';
import { createPeaksBuilder } from '../backend/dist/media/peaks-builder.js';

const target = fileURLToPath(new URL('../frontend/src/app/routes/login-peaks.ts', import.meta.url));
const SONG = 'low-tide';
const MIX = '2.0';
const CHARACTERS_PER_LINE = 140;

/** Merges both channels: largest peaks and RMS. */
function asOne({ columns, samplesPerColumn, values }) {
  const joined = new Int8Array(columns * VALUES_PER_CHANNEL);
  for (let column = 0; column < columns; column++) {
    const [low, high, power, otherLow, otherHigh, otherPower] = values.subarray(column * 6);
    joined.set([Math.min(low, otherLow), Math.max(high, otherHigh), Math.round(Math.hypot(power, otherPower) / Math.SQRT2)], column * VALUES_PER_CHANNEL);
  }
  return { channels: 1, samplesPerColumn, columns, values: joined };
}

const builder = createPeaksBuilder(2);
const { left, right } = renderSong(SONG, MIX);
builder.push([left, right]);
const [coarsest] = builder.encode();
const peaks = asOne(decodePeaks(coarsest));
const lines = Buffer.from(encodePeaks(peaks))
  .toString('base64')
  .match(new RegExp(`.{1,${CHARACTERS_PER_LINE}}`, 'g'))
  .map((line) => `  '${line}'`);
await writeFile(
  target,
  `/** The demo's Low Tide 2.0 as the server would send its peaks: ${peaks.columns} columns, mono, base64. Made by infra/login-peaks.mjs. */
export const LOGIN_PEAKS =
${lines.join(' +\n')};
`,
);
