import { expect, test } from '@jest/globals';
import { minuteSecond, timespan, toMillis } from './span.js';

test.each([
  [0, '0:00'],
  [59.999, '0:59'],
  [60, '1:00'],
  [605.4, '10:05'],
  [7_199, '119:59'],
  [-1, '0:00'],
])('%p seconds read %p', (seconds, text) => {
  expect(minuteSecond(seconds)).toBe(text);
});

test('a timespan shows both ends with a dash between them', () => {
  expect(timespan(68.4, 88.8)).toBe('1:08 – 1:28');
});

test('positions are rounded to the millisecond', () => {
  expect([1.23449, 1.2345, 0.1 + 0.2, 3].map(toMillis)).toEqual([1.234, 1.235, 0.3, 3]);
});
