import { expect, test } from '@jest/globals';
import { coveredPart, tilesWithin } from './wave-tiles';

test('nothing is drawn beyond the end of a version that is shorter than the time axis', () => {
  expect(coveredPart({ start: 10, end: 20 }, 100, 60)).toEqual([{ start: 10, end: 20 }, 100]);
  expect(coveredPart({ start: 10, end: 20 }, 100, 12.5)).toEqual([{ start: 10, end: 12.5 }, 25]);
  expect(coveredPart({ start: 10, end: 20 }, 100, 8)).toEqual([{ start: 10, end: 10 }, 0]);
});

test('only tiles within the span and the track are drawn', () => {
  expect(tilesWithin(0, 1_000, 46_400)).toEqual([0, 1]);
  expect(tilesWithin(5_120, 1_025, 46_400)).toEqual([10, 11, 12]);
  expect(tilesWithin(-512, 3_000, 600)).toEqual([0, 1]);
});
