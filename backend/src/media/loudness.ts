import { ABSOLUTE_GATE, createLoudnessSteps, toLufs } from '@roughmix/contracts/media/loudness.js';
import { channelWeights, type Layout } from './channel-layouts.js';
import { createTruePeakMeter } from './true-peak.js';

/** Measurements of a whole file; both null if no block of 400 ms is above -70 LUFS. */
export interface Loudness {
  /** Integrated, in LUFS. */
  readonly loudness: number | null;
  /** In dBTP. */
  readonly truePeak: number | null;
}

export interface LoudnessMeter {
  /** Appends samples, one array per channel, all of equal length. */
  push(channelData: readonly Float32Array[]): void;
  result(): Loudness;
}

const RELATIVE_GATE = -10;
const STEPS_PER_SECOND = 10;
const STEPS_PER_BLOCK = 4;

/**
 * Measures by ITU-R BS.1770-4: K-weighting, blocks of 400 ms that overlap by 75 %, an absolute and a relative gate; true peak by its annex 2.
 * Keeps one number for each 100 ms, never the samples.
 */
export function createLoudnessMeter(sampleRate: number, layout: Layout): LoudnessMeter {
  const steps: number[] = [];
  const loudnessSteps = createLoudnessSteps(sampleRate, channelWeights(layout), { perSecond: STEPS_PER_SECOND, onStep: (energy) => steps.push(energy) });
  const truePeak = createTruePeakMeter(sampleRate, layout.length);

  return {
    push(channelData) {
      truePeak.push(channelData);
      loudnessSteps.push(channelData);
    },
    result() {
      const loudness = integrated(steps);
      return { loudness, truePeak: loudness === null ? null : decibels(truePeak.peak()) };
    },
  };
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
const decibels = (amplitude: number): number => 20 * Math.log10(amplitude);
