import { describe, expect, test } from '@jest/globals';
import { silence, sine } from '../testing/wav.js';
import { layoutByCount } from './channel-layouts.js';
import { createLoudnessMeter, type Loudness } from './loudness.js';

const measure = (channelData: readonly Float32Array[], sampleRate = 48_000, piece = 10_007): Loudness => {
  const meter = createLoudnessMeter(sampleRate, layoutByCount(channelData.length));
  const length = channelData[0]?.length ?? 0;
  for (let at = 0; at < length; at += piece) meter.push(channelData.map((samples) => samples.subarray(at, at + piece)));
  return meter.result();
};

const decibels = (level: number): number => 10 ** (level / 20);
const joined = (...parts: readonly Float32Array[]): Float32Array => {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
const tone = (level: number, seconds: number, sampleRate = 48_000): Float32Array => sine({ seconds, frequency: 1_000, amplitude: decibels(level), sampleRate });

describe('integrated loudness, with the test signals of EBU Tech 3341', () => {
  test.each([8_000, 44_100, 96_000])('a stereo sine of 1 kHz at -23 dBFS is -23 LUFS at %i Hz', (sampleRate) => {
    const left = tone(-23, 3, sampleRate);
    expect(measure([left, left], sampleRate).loudness).toBeCloseTo(-23, 1);
  });

  test('a mono file counts one channel: 3 LU less', () => {
    expect(measure([tone(-23, 5)]).loudness).toBeCloseTo(-26, 1);
  });

  test('quiet parts are gated: -36, -23 and -36 dBFS are -23 LUFS', () => {
    const left = joined(tone(-36, 3), tone(-23, 12), tone(-36, 3));
    // The standard's own tolerance is 0.1: a block at the border is half loud.
    expect(Math.abs((measure([left, left]).loudness ?? 0) + 23)).toBeLessThan(0.1);
  });

  test('surround channels weigh more and the low-frequency channel does not count', () => {
    const quiet = silence(2);
    const loud = tone(-23, 2);
    expect(measure([quiet, quiet, quiet, loud, quiet, quiet]).loudness).toBeNull();
    const front = measure([loud, quiet, quiet, quiet, quiet, quiet]).loudness ?? 0;
    const side = measure([quiet, quiet, quiet, quiet, loud, quiet]).loudness ?? 0;
    expect(side - front).toBeCloseTo(1.49, 2);
  });

  test('the size of the pieces makes no difference', () => {
    const left = tone(-20, 2);
    const whole = measure([left, left], 48_000, 1_000_000);
    const pieces = measure([left, left], 48_000, 17);
    expect(pieces.truePeak).toBe(whole.truePeak);
    expect(pieces.loudness).toBeCloseTo(whole.loudness ?? 0, 9);
  });
});

describe('true peak', () => {
  test.each([44_100, 48_000, 96_000])('finds the peak of a sine between its samples at %i Hz', (sampleRate) => {
    const between = Float32Array.from({ length: sampleRate }, (_, at) => 0.5 * Math.min(1, at / 1_000) * Math.sin((Math.PI / 2) * at + Math.PI / 4));
    expect(between.reduce((most, sample) => Math.max(most, sample), 0)).toBeLessThan(0.36);
    expect(measure([between], sampleRate).truePeak).toBeCloseTo(20 * Math.log10(0.5), 1);
  });

  test('a peak across two pieces is found, and the loudest channel wins', () => {
    const loud = sine({ seconds: 1, frequency: 997, amplitude: 0.9 });
    const soft = sine({ seconds: 1, frequency: 997, amplitude: 0.1 });
    expect(measure([soft, loud], 48_000, 5).truePeak).toBeCloseTo(20 * Math.log10(0.9), 1);
  });
});

describe('both figures are null', () => {
  test('in silence', () => expect(measure([silence(5)])).toEqual({ loudness: null, truePeak: null }));
  test('below -70 LUFS', () => expect(measure([tone(-80, 5)])).toEqual({ loudness: null, truePeak: null }));
  test('in less than one block of 400 ms', () => expect(measure([tone(-20, 0.39)])).toEqual({ loudness: null, truePeak: null }));
  test('without samples', () => expect(measure([])).toEqual({ loudness: null, truePeak: null }));
});
