import { fromDecibels, type StereoPcm, toSamples } from '../dsp/pcm.js';
import { StateFilter } from '../dsp/state-filter.js';

const BLOCK = toSamples(0.4);

/** Only every third block of 0.4 s is measured: enough to set a level, in a third of the time. */
const STRIDE = 3 * BLOCK;

/** Mean squares of a channel, frequency-weighted by a high pass and a high shelf. */
const blockPowers = (channel: Float32Array): Float64Array => {
  const powers = new Float64Array(Math.max(1, Math.floor(channel.length / STRIDE)));
  const floor = new StateFilter().tune(38, 0.5);
  const lift = new StateFilter().tune(1500, 0.7);
  for (let block = 0; block < powers.length; block++) {
    let sum = 0;
    for (let index = block * STRIDE; index < block * STRIDE + BLOCK; index++) {
      floor.step(channel[index] ?? 0);
      lift.step(floor.high);
      const weighted = floor.high + 0.58 * lift.high;
      sum += weighted * weighted;
    }
    powers[block] = sum / BLOCK;
  }
  return powers;
};

const inLufs = (power: number): number => 10 * Math.log10(Math.max(power, 1e-12)) - 0.691;

const mean = (list: readonly number[]): number => list.reduce((sum, power) => sum + power, 0) / Math.max(1, list.length);

/** Approximate loudness in LUFS: EBU R128 with simpler filters and its relative gate of -10. */
export const loudnessOf = (pcm: StereoPcm): number => {
  const left = blockPowers(pcm.left);
  const right = blockPowers(pcm.right);
  const powers = Array.from(left, (power, index) => power + (right[index] ?? 0));
  const heard = powers.filter((power) => inLufs(power) > -70);
  const gate = inLufs(mean(heard)) - 10;
  return inLufs(mean(heard.filter((power) => inLufs(power) > gate)));
};

/** Scales the whole to a loudness in LUFS, regardless of peaks. */
export const levelTo = (pcm: StereoPcm, loudness: number): void => {
  const gain = fromDecibels(loudness - loudnessOf(pcm));
  for (let index = 0; index < pcm.left.length; index++) {
    pcm.left[index] = (pcm.left[index] ?? 0) * gain;
    pcm.right[index] = (pcm.right[index] ?? 0) * gain;
  }
};
