import { describe, expect, test } from '@jest/globals';
import { columnsFor, decodePeaks, encodePeaks, levelsFor, PeaksMalformed } from './peaks.js';

describe('levels', () => {
  test.each([
    [0, [256], 0],
    [1, [256], 1],
    [512_000, [256], 2_000],
    [512_001, [1_024, 256], 501],
    [2_048_000, [1_024, 256], 2_000],
    [2_048_001, [4_096, 1_024, 256], 501],
    [45 * 48_000, [4_096, 1_024, 256], 528],
    [240 * 48_000, [16_384, 4_096, 1_024, 256], 704],
    [7_200 * 48_000, [262_144, 65_536, 16_384, 4_096, 1_024, 256], 1_319],
  ])('a file of %i samples has levels of %j samples a column, the coarsest with %i columns', (samples, levels, columns) => {
    expect(levelsFor(samples)).toEqual(levels);
    expect(columnsFor(samples, levels[0] ?? 0)).toBe(columns);
  });
});

describe('the format', () => {
  const level = { channels: 2, samplesPerColumn: 1_024, columns: 2, values: Int8Array.of(-127, 127, 64, -1, 1, 0, -5, 6, 7, 8, 9, 10) };

  test('is a little-endian header followed by the values, byte by byte', () => {
    expect([...encodePeaks(level)]).toEqual([0x52, 0x4d, 0x50, 0x4b, 1, 0, 2, 0, 0, 4, 0, 0, 2, 0, 0, 0, 129, 127, 64, 255, 1, 0, 251, 6, 7, 8, 9, 10]);
  });

  test('reads back what was written, from a buffer and from the middle of a larger one', () => {
    const bytes = encodePeaks(level);
    const larger = new Uint8Array(bytes.length + 5);
    larger.set(bytes, 3);
    expect(decodePeaks(bytes)).toEqual(level);
    expect(decodePeaks(bytes.slice().buffer)).toEqual(level);
    expect(decodePeaks(larger.subarray(3, 3 + bytes.length))).toEqual(level);
  });

  test('encodes a part of a larger array', () => {
    const values = new Int8Array([99, ...level.values, 99]).subarray(1, 13);
    expect(encodePeaks({ ...level, values })).toEqual(encodePeaks(level));
  });

  test.each([
    ['nothing', (bytes: Uint8Array) => bytes.subarray(0, 0)],
    ['half a header', (bytes: Uint8Array) => bytes.subarray(0, 8)],
    ['a missing byte', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1)],
    ['one byte too many', (bytes: Uint8Array) => Uint8Array.of(...bytes, 0)],
    ['another signature', (bytes: Uint8Array) => Uint8Array.of(0, ...bytes.subarray(1))],
    ['another version', (bytes: Uint8Array) => bytes.map((byte, at) => (at === 4 ? 2 : byte))],
  ])('refuses %s', (_what, spoil) => {
    expect(() => decodePeaks(spoil(encodePeaks(level)))).toThrow(PeaksMalformed);
  });

  test('refuses to write a level whose values do not fit', () => {
    expect(() => encodePeaks({ ...level, columns: 3 })).toThrow(PeaksMalformed);
  });
});
