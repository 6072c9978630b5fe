import { describe, expect, test } from '@jest/globals';
import { decodePeaks } from '@roughmix/contracts/media/peaks.js';
import { createPeaksBuilder } from './peaks-builder.js';

const build = (channelData: readonly Float32Array[], piece: number) => {
  const builder = createPeaksBuilder(channelData.length);
  const length = channelData[0]?.length ?? 0;
  for (let at = 0; at < length; at += piece) builder.push(channelData.map((samples) => samples.subarray(at, at + piece)));
  return builder.encode().map(decodePeaks);
};

describe('peaks', () => {
  test('hold min, max and rms of each 256 samples, with the rest in the last column', () => {
    const left = new Float32Array(256 + 2).fill(0.5);
    left.set([-1], 10);
    left.set([1, -1], 256);
    const right = new Float32Array(256 + 2);
    const [level] = build([left, right], 100);
    const rms = Math.round(Math.sqrt((255 * 0.25 + 1) / 256) * 127);
    expect(level).toEqual({
      channels: 2,
      samplesPerColumn: 256,
      columns: 2,
      values: Int8Array.of(-127, 64, rms, 0, 0, 0, -127, 127, 127, 0, 0, 0),
    });
  });

  test('of a coarser level combine four finer columns', () => {
    const samples = Float32Array.from({ length: 256 * 2_001 }, (_, at) => (at < 512 ? 0.25 : at < 1_024 ? -0.5 : 0));
    const [coarse, fine] = build([samples], 4_096);
    expect(coarse).toMatchObject({ samplesPerColumn: 1_024, columns: 501 });
    expect(fine).toMatchObject({ samplesPerColumn: 256, columns: 2_001 });
    expect([...(coarse?.values.subarray(0, 6) ?? [])]).toEqual([-63, 32, Math.round(Math.sqrt((0.0625 + 0.25) / 2) * 127), 0, 0, 0]);
  });

  test('do not depend on the size of the pieces', () => {
    const samples = Float32Array.from({ length: 70_001 }, (_, at) => Math.sin(at / 7) * Math.cos(at / 991));
    expect(build([samples], 13)).toEqual(build([samples], 100_000));
  });

  test('beyond full scale are clipped', () => {
    const [level] = build([Float32Array.of(-3, 3)], 2);
    expect([...(level?.values ?? [])]).toEqual([-127, 127, 127]);
  });

  test('of an empty file are one level without columns', () => {
    expect(build([new Float32Array(0)], 1)).toEqual([{ channels: 1, samplesPerColumn: 256, columns: 0, values: new Int8Array(0) }]);
  });
});
