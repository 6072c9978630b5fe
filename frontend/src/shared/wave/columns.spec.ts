import { expect, test } from '@jest/globals';
import { columnsAcross } from './columns';

const stereo = { channels: 2, samplesPerColumn: 256, columns: 2, values: Int8Array.of(-127, 64, 30, -20, 127, 40, 0, 0, 0, -1, 2, 0) };

test('a pixel shows the largest peaks of all channels and their RMS', () => {
  const [first, second] = columnsAcross(stereo, 2);
  expect(first).toEqual({ low: -1, high: 1, rms: Math.sqrt((30 ** 2 + 40 ** 2) / 2) / 127 });
  expect(second).toEqual({ low: -1 / 127, high: 2 / 127, rms: 0 });
});

test('columns are merged or repeated to fit the width, and none is skipped', () => {
  expect(columnsAcross(stereo, 1)).toEqual([{ low: -1, high: 1, rms: Math.sqrt((30 ** 2 + 40 ** 2) / 4) / 127 }]);
  expect(columnsAcross(stereo, 4).map(({ high }) => high)).toEqual([1, 1, 2 / 127, 2 / 127]);
});

test('without columns there is only the zero line', () => {
  expect(columnsAcross({ channels: 1, samplesPerColumn: 256, columns: 0, values: new Int8Array() }, 2)).toEqual([
    { low: 0, high: 0, rms: 0 },
    { low: 0, high: 0, rms: 0 },
  ]);
});
