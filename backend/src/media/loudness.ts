import { kWeighting, type Biquad } from './k-weighting.js';
import { createTruePeakMeter } from './true-peak.js';

/** Measurements of a whole file; both null if no block of 400 ms is above -70 LUFS. */
export interface Loudness {
  /** Integrated, in LUFS. */
  readonly loudness: number | null;
  /** In dBTP. */
  readonly truePeak: number | null;
}

export interface LoudnessMeter {
  /** The next samples, one array per channel, all of equal length. */
  push(channelData: readonly Float32Array[]): void;
  result(): Loudness;
}

const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;
const STEPS_PER_SECOND = 10;
const STEPS_PER_BLOCK = 4;

/**
 * Measures by ITU-R BS.1770-4: K-weighting, blocks of 400 ms that overlap by 75 %, an absolute and a relative gate; true peak by its annex 2.
 * Keeps one number for each 100 ms, never the samples.
 */
export function createLoudnessMeter(sampleRate: number, channels: number): LoudnessMeter {
  const stepLength = Math.max(1, Math.round(sampleRate / STEPS_PER_SECOND));
  const weighted = channelWeights(channels).map((weight) => ({ weight, filter: createKFilter(sampleRate) }));
  const truePeak = createTruePeakMeter(sampleRate, channels);
  const steps: number[] = [];
  let energy = 0;
  let filled = 0;

  return {
    push(channelData) {
      truePeak.push(channelData);
      const length = channelData[0]?.length ?? 0;
      for (let from = 0; from < length;) {
        const to = Math.min(length, from + stepLength - filled);
        weighted.forEach(({ weight, filter }, channel) => {
          const samples = channelData[channel];
          if (samples && weight > 0) energy += weight * filter(samples, from, to);
        });
        filled += to - from;
        from = to;
        if (filled === stepLength) {
          steps.push(energy / stepLength);
          energy = 0;
          filled = 0;
        }
      }
    },
    result() {
      const loudness = integrated(steps);
      return { loudness, truePeak: loudness === null ? null : decibels(truePeak.peak()) };
    },
  };
}

/** Weights of annex 1, table 3, in the channel order of WAV files: surround channels count 1.41, the low-frequency channel 0. */
function channelWeights(channels: number): readonly number[] {
  const surround = 1.41;
  const layouts: Readonly<Record<number, readonly number[]>> = {
    4: [1, 1, surround, surround],
    5: [1, 1, 1, surround, surround],
    6: [1, 1, 1, 0, surround, surround],
    7: [1, 1, 1, 0, 1, surround, surround],
    8: [1, 1, 1, 0, 1, 1, surround, surround],
  };
  return layouts[channels] ?? Array.from({ length: channels }, () => 1);
}

function integrated(steps: readonly number[]): number | null {
  const blocks: number[] = [];
  for (let end = STEPS_PER_BLOCK; end <= steps.length; end++) blocks.push(mean(steps.slice(end - STEPS_PER_BLOCK, end)));
  const audible = blocks.filter((block) => toLufs(block) > ABSOLUTE_GATE);
  if (audible.length === 0) return null;
  const gate = toLufs(mean(audible)) + RELATIVE_GATE;
  return toLufs(mean(audible.filter((block) => toLufs(block) > gate)));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const toLufs = (energy: number): number => -0.691 + 10 * Math.log10(energy);
const decibels = (amplitude: number): number => 20 * Math.log10(amplitude);

/** Filters samples[from, to) and returns the sum of their squares. */
function createKFilter(sampleRate: number): (samples: Float32Array, from: number, to: number) => number {
  const { shelf, highPass } = kWeighting(sampleRate);
  const state = new Float64Array(4);
  return (samples, from, to) => filterEnergy({ samples, from, to, state }, shelf, highPass);
}

interface SampleRange {
  readonly samples: Float32Array;
  readonly from: number;
  readonly to: number;
  readonly state: Float64Array;
}

/** Both filters in transposed direct form II, in one loop with local state, because this is the hot path. */
function filterEnergy({ samples, from, to, state }: SampleRange, shelf: Biquad, highPass: Biquad): number {
  let [s1 = 0, s2 = 0, h1 = 0, h2 = 0] = state;
  let energy = 0;
  for (let at = from; at < to; at++) {
    const x = samples[at] ?? 0;
    const y = shelf.b0 * x + s1;
    s1 = shelf.b1 * x - shelf.a1 * y + s2;
    s2 = shelf.b2 * x - shelf.a2 * y;
    const z = highPass.b0 * y + h1;
    h1 = highPass.b1 * y - highPass.a1 * z + h2;
    h2 = highPass.b2 * y - highPass.a2 * z;
    energy += z * z;
  }
  state[0] = flush(s1);
  state[1] = flush(s2);
  state[2] = flush(h1);
  state[3] = flush(h2);
  return energy;
}

/** Denormal numbers in the tail of a fade are many times slower to compute with than zero. */
const flush = (value: number): number => (Math.abs(value) < 1e-30 ? 0 : value);
