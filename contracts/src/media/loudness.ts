import { createKFilter } from './k-weighting.js';

/** Sums K-weighted energy over consecutive steps of equal length. */
export interface LoudnessSteps {
  /** Appends samples, one array per channel, all of equal length. */
  push(channelData: readonly Float32Array[]): void;
}

/** The short-term loudness of what was pushed last. */
export interface ShortTermMeter {
  /** Appends samples, one array per channel, all of equal length. Allocates nothing, so it can run on the audio thread. */
  push(channelData: readonly Float32Array[]): void;
  /** In LUFS; null below -70 LUFS, and during the first 400 ms. */
  loudness(): number | null;
}

/** Below this the standard counts audio as silence, in LUFS. */
export const ABSOLUTE_GATE = -70;

/** Loudness of a K-weighted mean square (ITU-R BS.1770-4, annex 1), in LUFS. */
export const toLufs = (energy: number): number => -0.691 + 10 * Math.log10(energy);

/**
 * Calls `onStep` with the K-weighted mean square of each step, all channels added by their weights.
 * @param sampleRate in Hz
 * @param weights of the channels; one of weight 0 does not count
 */
export function createLoudnessSteps(
  sampleRate: number,
  weights: readonly number[],
  { perSecond, onStep }: { readonly perSecond: number; readonly onStep: (energy: number) => void },
): LoudnessSteps {
  const stepLength = Math.max(1, Math.round(sampleRate / perSecond));
  const weighted = weights.map((weight) => ({ weight, filter: createKFilter(sampleRate) }));
  let energy = 0;
  let filled = 0;

  const add = (channelData: readonly Float32Array[], from: number, to: number): void => {
    for (let channel = 0; channel < weighted.length; channel++) {
      const { weight, filter } = weighted[channel] ?? {};
      const samples = channelData[channel];
      if (weight && filter && samples) energy += weight * filter(samples, from, to);
    }
  };

  return {
    push(channelData) {
      const length = channelData[0]?.length ?? 0;
      for (let from = 0; from < length;) {
        const to = Math.min(length, from + stepLength - filled);
        add(channelData, from, to);
        filled += to - from;
        from = to;
        if (filled < stepLength) continue;
        onStep(energy / stepLength);
        energy = 0;
        filled = 0;
      }
    },
  };
}

const SHORT_TERM_STEPS_PER_SECOND = 20;
const SHORT_TERM_STEPS = 3 * SHORT_TERM_STEPS_PER_SECOND;
const FIRST_STEPS = 0.4 * SHORT_TERM_STEPS_PER_SECOND;
/** Mono uses the first. */
const STEREO_WEIGHTS = [1, 1];

/**
 * Short-term loudness of mono or stereo as in EBU Tech 3341: an ungated, rectangular window of 3 s that moves in steps of 50 ms.
 * During the first 3 s the window is as long as the audio so far. After a seek, create a new meter.
 * @param sampleRate in Hz
 */
export function createShortTermMeter(sampleRate: number): ShortTermMeter {
  const window = new Float64Array(SHORT_TERM_STEPS);
  let count = 0;
  const onStep = (energy: number): void => {
    window[count % SHORT_TERM_STEPS] = energy;
    count += 1;
  };
  const steps = createLoudnessSteps(sampleRate, STEREO_WEIGHTS, { perSecond: SHORT_TERM_STEPS_PER_SECOND, onStep });

  return {
    push: (channelData) => steps.push(channelData),
    loudness() {
      if (count < FIRST_STEPS) return null;
      let sum = 0;
      for (const energy of window) sum += energy;
      const lufs = toLufs(sum / Math.min(count, SHORT_TERM_STEPS));
      return lufs > ABSOLUTE_GATE ? lufs : null;
    },
  };
}
