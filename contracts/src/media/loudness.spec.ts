import { describe, expect, test } from '@jest/globals';
import { createShortTermMeter } from './loudness.js';

/** Parts of a 1 kHz sine: level in dBFS (null: silence) and length in seconds. */
type Part = readonly [level: number | null, seconds: number];

function signal(sampleRate: number, ...parts: readonly Part[]): Float32Array {
  const samples = new Float32Array(parts.reduce((length, [, seconds]) => length + Math.round(seconds * sampleRate), 0));
  let from = 0;
  for (const [level, seconds] of parts) {
    const to = from + Math.round(seconds * sampleRate);
    const amplitude = level === null ? 0 : 10 ** (level / 20);
    for (let at = from; at < to; at++) samples[at] = amplitude * Math.sin((2 * Math.PI * 1_000 * at) / sampleRate);
    from = to;
  }
  return samples;
}

/** The short-term loudness after each 10 ms of a stereo signal. */
function shortTerm(samples: Float32Array, sampleRate = 48_000): readonly (number | null)[] {
  const meter = createShortTermMeter(sampleRate);
  const piece = sampleRate / 100;
  return Array.from({ length: Math.ceil(samples.length / piece) }, (_, at) => {
    const next = samples.subarray(at * piece, (at + 1) * piece);
    meter.push([next, next]);
    return meter.loudness();
  });
}

const highest = (values: readonly (number | null)[]): number => Math.max(...values.map((value) => value ?? -Infinity));
const furthestFrom = (target: number, values: readonly (number | null)[]): number => Math.max(...values.map((value) => Math.abs((value ?? 0) - target)));
const TOLERANCE = 0.1;

describe('short-term loudness, with the test signals of EBU Tech 3341', () => {
  test.each([44_100, 48_000, 96_000])('case 9: -20 and -30 dBFS in turns of 3 s are -23 LUFS at every moment after 3 s, at %i Hz', (sampleRate) => {
    const turns = Array.from({ length: 5 }, (): Part[] => [
      [-20, 1.34],
      [-30, 1.66],
    ]).flat();
    const afterThreeSeconds = shortTerm(signal(sampleRate, ...turns), sampleRate).slice(310);
    expect(furthestFrom(-23, afterThreeSeconds)).toBeLessThan(TOLERANCE);
  });

  test('case 10: 3 s at -23 dBFS reach -23 LUFS wherever they start', () => {
    for (let at = 0; at < 20; at++) {
      const loudest = highest(shortTerm(signal(16_000, [null, at * 0.15], [-23, 3], [null, 1]), 16_000));
      expect(Math.abs(loudest + 23)).toBeLessThan(TOLERANCE);
    }
  });

  test('case 11: tones of 3 s from -38 to -19 dBFS reach exactly their level, one after the other', () => {
    const levels = Array.from({ length: 20 }, (_, at) => -38 + at);
    const parts = levels.flatMap((level, at): Part[] => [
      [null, at * 0.15],
      [level, 3],
      [null, 3 - at * 0.15],
    ]);
    const measured = shortTerm(signal(16_000, ...parts), 16_000);
    for (const [at, level] of levels.entries()) expect(Math.abs(highest(measured.slice(at * 600, (at + 1) * 600)) - level)).toBeLessThan(TOLERANCE);
  });
});

test('during the first 3 s short-term loudness is that of what has played, from 400 ms on', () => {
  const measured = shortTerm(signal(48_000, [-23, 1]));
  expect(measured.findIndex((value) => value !== null)).toBe(39);
  expect(furthestFrom(-23, measured.slice(39))).toBeLessThan(TOLERANCE);
});

test('silence has no short-term loudness', () => {
  expect(shortTerm(signal(48_000, [-23, 1], [null, 3.1])).at(-1)).toBeNull();
});
