// Measures of recorded sound. Samples are Float32Arrays, lags in samples.
import { crossCorrelation } from './fourier.mjs';

/** Where in `whole` the snippet fits best, to a fraction of a sample, and its correlation there, from -1 to 1. */
export function bestLag(snippet, whole) {
  const products = crossCorrelation(snippet, whole);
  const own = energy(snippet, 0, snippet.length);
  let under = energy(whole, 0, snippet.length);
  let best = { lag: 0, correlation: -1 };
  const correlations = new Float64Array(products.length);
  for (let lag = 0; lag < products.length; lag += 1) {
    correlations[lag] = products[lag] / (Math.sqrt(own * under) || 1);
    if (correlations[lag] > best.correlation) best = { lag, correlation: correlations[lag] };
    under = Math.max(0, under + (whole[lag + snippet.length] ?? 0) ** 2 - whole[lag] ** 2);
  }
  return { ...best, lag: best.lag + vertex(correlations, best.lag) };
}

export function energy(samples, from, to) {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum;
}

/** Offset of a parabola's vertex from the middle of three values. */
function vertex(values, at) {
  const [before, middle, after] = [values[at - 1], values[at], values[at + 1]];
  const bend = before - 2 * middle + after;
  return Number.isFinite(bend) && bend < 0 ? (before - after) / (2 * bend) : 0;
}

/** The index of the first sample above a level. */
export const firstSound = (samples, floor = 0) => samples.findIndex((sample) => Math.abs(sample) > floor);

/** The first and the last index at which a level is exceeded. */
export const soundingSpan = (samples, floor) => [
  samples.findIndex((sample) => Math.abs(sample) > floor),
  samples.findLastIndex((sample) => Math.abs(sample) > floor),
];

export const rms = (samples, from = 0, to = samples.length) => Math.sqrt(energy(samples, from, to) / Math.max(1, to - from));
export const decibels = (amplitude) => 20 * Math.log10(amplitude);
export const cents = (one, other) => 1_200 * Math.log2(one / other);

/** The largest step from one sample to the next in [from, to), except into and out of digital silence, which `longestSilence` measures. */
export function largestStep(samples, from = 0, to = samples.length) {
  let most = 0;
  for (let at = Math.max(1, from); at < Math.min(samples.length, to); at += 1) {
    if (samples[at] !== 0 && samples[at - 1] !== 0) most = Math.max(most, Math.abs(samples[at] - samples[at - 1]));
  }
  return most;
}

const BLOCK = 256;

/** The frequency of a tone in Hz, from how its phase drifts against one of a frequency within 90 Hz (at 48 kHz). */
export function frequencyOf(samples, rate, near) {
  const phases = [];
  for (let from = 0; from + BLOCK <= samples.length; from += BLOCK) {
    let [real, imaginary] = [0, 0];
    for (let at = from; at < from + BLOCK; at += 1) {
      const angle = (2 * Math.PI * near * at) / rate;
      real += samples[at] * Math.cos(angle);
      imaginary -= samples[at] * Math.sin(angle);
    }
    const phase = Math.atan2(imaginary, real);
    const turns = Math.round(((phases.at(-1) ?? phase) - phase) / (2 * Math.PI));
    phases.push(phase + turns * 2 * Math.PI);
  }
  return near + (slope(phases) * rate) / BLOCK / (2 * Math.PI);
}

/** The slope of the straight line through values one apart. */
function slope(values) {
  const middle = (values.length - 1) / 2;
  let [both, own] = [0, 0];
  for (const [at, value] of values.entries()) {
    both += (at - middle) * value;
    own += (at - middle) ** 2;
  }
  return both / own;
}

/**
 * Compares a recording block by block with its source, backwards from `end`, where the recording plays `place` of the source. Returns for each block, in
 * order of time, how many samples the source is ahead of steady playback, or null without a match.
 * @param {{ from: number, end: number, place: number, reach: number, block: number }} options `reach`: the farthest that is searched
 */
export function aheadIn(recording, source, { from, end, place, reach, block }) {
  const blocks = [];
  let near = 0;
  for (let at = end - block; at >= from; at -= block) {
    const snippet = recording.subarray(at, at + block);
    const steady = place + at - end;
    const ahead = aheadNear(snippet, source, { expected: steady + near, reach: NEAR }) ?? aheadNear(snippet, source, { expected: steady, reach });
    near = ahead === null ? near : ahead - steady;
    blocks.push({ at, ahead: ahead === null ? null : near, level: rms(snippet) });
  }
  return blocks.toReversed();
}

const NEAR = 512;
/** White noise between two samples correlates by 0.64 with itself. */
const FITS = 0.6;

function aheadNear(snippet, source, { expected, reach }) {
  const start = Math.max(0, Math.round(expected) - reach);
  const { lag, correlation } = bestLag(snippet, source.subarray(start, Math.round(expected) + reach + snippet.length));
  return correlation > FITS ? start + lag : null;
}

const SILENT = 1e-4;

/** The longest silence between the first and the last sound of a recording, in ms. */
export function longestSilence({ left, rate }) {
  const [first, last] = soundingSpan(left, SILENT);
  let [run, longest] = [0, 0];
  for (let at = first; at < last; at += 1) {
    run = Math.abs(left[at]) <= SILENT ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return (longest * 1_000) / rate;
}
