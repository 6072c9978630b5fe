import { addAt, panGains, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseAt, noiseOffset } from '../dsp/random.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument } from '../score/song.js';

/** Ring in seconds at the A below middle C, bright from 0 to 1; muted notes end with their length. */
export type GuitarPatch = { ring: number; bright: number; body: number };

const longestString = new Float32Array(2048);

/** A plucked string (Karplus and Strong 1983, tuned as by Jaffe and Smith): noise in a delay loop that loses its highs. */
export const guitar =
  (patch: GuitarPatch): Instrument =>
  (track, { at, length, pitch, velocity, pan }) => {
    const start = toSamples(at);
    const release = start + toSamples(length);
    const end = Math.min(track.left.length, release + toSamples(0.12));
    const period = SAMPLE_RATE / pitchToHertz(pitch);
    const whole = Math.floor(period - 0.7);
    const fraction = period - 0.5 - whole;
    const tuning = (1 - fraction) / (1 + fraction);
    const keep = 0.001 ** (period / SAMPLE_RATE / (patch.ring * 3 * 2 ** ((57 - pitch) / 24)));
    pluck(whole, noiseOffset(at, pitch), patch.bright * (0.4 + 0.6 * velocity));
    const box = new StateFilter().tune(205, 2.2);
    const [leftGain, rightGain] = panGains(pan);
    let [place, before, evenBefore, tuned, level] = [0, 0, 0, 0, 1];
    for (let index = start; index < end; index++) {
      const out = longestString[place] ?? 0;
      const even = 0.5 * (out + before);
      tuned = tuning * (even - tuned) + evenBefore;
      before = out;
      evenBefore = even;
      longestString[place] = keep * tuned;
      place = place + 1 === whole ? 0 : place + 1;
      if (index > release) level *= 0.9985;
      box.step(out);
      const value = (out + box.band * patch.body) * level * velocity;
      addAt(track.left, index, value * leftGain);
      addAt(track.right, index, value * rightGain);
    }
  };

/** Fills the string with noise, darker for a soft pluck, and filters out the harmonics that a pick at a seventh of the string does not excite. */
const pluck = (samples: number, noise: number, bright: number): void => {
  let smooth = 0;
  for (let index = 0; index < samples; index++) {
    smooth += (0.12 + 0.8 * bright) * (noiseAt(noise + index) - smooth);
    longestString[index] = smooth;
  }
  const pick = Math.max(1, Math.round(samples / 7));
  for (let index = samples - 1; index >= pick; index--) {
    longestString[index] = 0.7 * ((longestString[index] ?? 0) - 0.8 * (longestString[index - pick] ?? 0));
  }
};
