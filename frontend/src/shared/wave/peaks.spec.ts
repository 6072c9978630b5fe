import { describe, expect, test } from '@jest/globals';
import { decodePeaks, encodePeaks } from '@roughmix/contracts/media/peaks.js';
import { columnsOf, levelNeeded, type PeaksSource, timedPeaks } from './peaks';

const source: PeaksSource = { peaksUrl: '/api/media/v/peaks', levels: 4, duration: 4, sampleRate: 1_024 };

/** Encodes min, max and rms of each column and channel. */
function peaksOf(values: readonly number[], channels = 1, from = source) {
  const columns = values.length / 3 / channels;
  const bytes = encodePeaks({ channels, samplesPerColumn: 1_024, columns, values: Int8Array.from(values) });
  return timedPeaks(decodePeaks(bytes.slice().buffer), from);
}

const listed = ({ min, max, rms }: ReturnType<typeof columnsOf>) => [min, max, rms].map((list) => [...list].map((value) => Math.round(value * 127)));

describe('columns', () => {
  test('one pixel per column shows each column’s min and max', () => {
    const peaks = peaksOf([-127, 64, 32, -10, 20, 5, 0, 0, 0, -50, 127, 60]);

    expect(listed(columnsOf(peaks, { start: 0, end: 4 }, 4))).toEqual([
      [-127, -10, 0, -50],
      [64, 20, 0, 127],
      [32, 5, 0, 60],
    ]);
  });

  test('a pixel that covers several columns shows their minimum, maximum and RMS', () => {
    const peaks = peaksOf([-127, 64, 30, -10, 20, 40, 0, 0, 0, -50, 127, 60]);

    expect(listed(columnsOf(peaks, { start: 0, end: 4 }, 2))).toEqual([
      [-127, -50],
      [64, 127],
      [35, 42],
    ]);
  });

  test('several pixels per column repeat that column', () => {
    const peaks = peaksOf([-1, 1, 1, -2, 2, 2, -3, 3, 3, -4, 4, 4]);

    expect(listed(columnsOf(peaks, { start: 1, end: 3 }, 4))[1]).toEqual([2, 2, 3, 3]);
  });

  test('channels are merged', () => {
    const peaks = peaksOf([-20, 10, 30, -5, 90, 40], 2, { ...source, duration: 1 });

    expect(listed(columnsOf(peaks, { start: 0, end: 1 }, 1))).toEqual([[-20], [90], [35]]);
  });

  test('time beyond the end of the file is silent', () => {
    const peaks = peaksOf([-1, 1, 1, -2, 2, 2, -3, 3, 3, -4, 4, 4]);

    expect(listed(columnsOf(peaks, { start: 3, end: 5 }, 2))[1]).toEqual([4, 0]);
  });
});

describe('columns per second', () => {
  test('follow the sample rate if it matches the number of columns', () => {
    expect(peaksOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).columnsPerSecond).toBe(1);
    expect(peaksOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1, { ...source, duration: 3.3 }).columnsPerSecond).toBe(1);
  });

  test('follow the duration if the decoder resampled or the sample rate is unknown', () => {
    expect(peaksOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1, { ...source, sampleRate: 44_100 }).columnsPerSecond).toBe(1);
    expect(peaksOf([0, 0, 0, 0, 0, 0], 1, { ...source, sampleRate: null }).columnsPerSecond).toBe(0.5);
  });
});

test('picks the coarsest level with a column for each device pixel, or the finest one', () => {
  const coarsest = peaksOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

  expect([0, 0.5, 1, 1.1, 4, 4.1, 64, 1_000].map((px) => levelNeeded(coarsest, 4, px))).toEqual([0, 0, 0, 1, 1, 2, 3, 3]);
});
