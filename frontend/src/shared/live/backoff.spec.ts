import { expect, test } from '@jest/globals';
import { createBackoff } from './backoff';

test('waits longer each time, up to half a minute, and starts over after a stable connection', () => {
  const longest = createBackoff(() => 1);
  expect(Array.from({ length: 6 }, () => longest.next())).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  longest.reset();
  expect(longest.next()).toBe(2_000);
});

test('many tabs reconnect at different times', () => {
  expect([0, 0.5, 1].map((random) => createBackoff(() => random).next())).toEqual([1_000, 1_500, 2_000]);
});
