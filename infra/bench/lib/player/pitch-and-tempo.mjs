import { recordWhole, setSlider, warmUp } from './playing.mjs';
import { openPlayer, projectOf } from './projects.mjs';
import { tone, wavOf } from './signals.mjs';
import { cents, frequencyOf, soundingSpan } from './sound.mjs';

const SECONDS = 8;
const HERTZ = 440;
const STEPS = [0.5, 0.75, 1, 1.5, 2];
const BAR = { cents: 5, percent: 0.5 };
/** Tempo and pitch are also changed together, in opposite directions. */
const SETTINGS = [...STEPS.map((tempo) => [tempo, 1]), ...STEPS.filter((pitch) => pitch !== 1).map((pitch) => [1, pitch]), [0.5, 2], [2, 0.5], [0.75, 1.5]];

/** Pitch and length of a tone of 8 s at every setting. */
export async function pitchAndTempo(studio) {
  const samples = tone(SECONDS, HERTZ);
  const { projectId } = await projectOf(studio, [wavOf(samples, samples)]);
  const page = await openPlayer(studio, projectId);
  await warmUp(page);
  const rows = [];
  for (const [tempo, pitch] of SETTINGS) {
    await setSlider(page, 'Tempo', tempo);
    await setSlider(page, 'Pitch', pitch);
    const { left, rate } = await recordWhole(page);
    const [first, last] = soundingSpan(left, 0.1);
    const margin = Math.round((last - first) / 10);
    const heard = frequencyOf(left.subarray(first + margin, last - margin), rate, HERTZ * pitch);
    const length = (last + 1 - first) / rate;
    rows.push({
      tempo,
      pitch,
      'pitch off by cents': cents(heard, HERTZ * pitch).toFixed(2),
      'length off by %': (100 * ((length * tempo) / SECONDS - 1)).toFixed(3),
    });
  }
  await page.context().close();
  console.table(rows);
  console.log(`a tone of ${HERTZ} Hz and ${SECONDS} s; at most ${BAR.cents} cents and ${BAR.percent} %`);
}
