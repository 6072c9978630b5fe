import { expect, test } from '@jest/globals';
import { backoffMs } from './backoff.js';

const times = { baseMs: 100, capMs: 1_000 };

test('the longest wait doubles with every attempt up to the cap', () => {
  const longest = (attempt: number): number => backoffMs(attempt, times, () => 0.9999);
  expect([1, 2, 3, 4, 5, 6, 2_000].map(longest)).toEqual([99, 199, 399, 799, 999, 999, 999]);
});

test('a wait may be anything from nothing up to the longest', () => {
  expect([0, 0.25, 0.5].map((chance) => backoffMs(3, times, () => chance))).toEqual([0, 100, 200]);
});
