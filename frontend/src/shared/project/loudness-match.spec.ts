import { expect, test } from '@jest/globals';
import { matchingGainDb, quietestOf } from './loudness-match';

const gains = (...loudnesses: readonly (number | null)[]) => {
  const all = loudnesses.map((loudness) => ({ loudness }));
  return all.map((one) => matchingGainDb(one, all));
};

test('all versions are turned down to the quietest', () => {
  expect(gains(-14, -8, -14.5)).toEqual([-0.5, -6.5, 0]);
});

test('silent and unmeasured versions are not matched, and others are not matched to them', () => {
  expect(gains(-14, null, -12)).toEqual([0, 0, -2]);
});

test('a single measured version is not matched', () => {
  expect(quietestOf([{ loudness: -14 }, { loudness: null }])).toBeNull();
  expect(gains(-14, null)).toEqual([0, 0]);
});
