import { describe, expect, test } from '@jest/globals';
import { formatClock, formatLength, formatMark, formatSpan, parseClock } from './time';

test.each([
  [0, '0:00.0'],
  [77.4, '1:17.4'],
  [232, '3:52.0'],
  [59.97, '1:00.0'],
  [88.8, '1:28.8'],
  [3599.96, '1:00:00.0'],
  [3723, '1:02:03.0'],
  [-2, '0:00.0'],
  [Number.NaN, '0:00.0'],
])('%d seconds are shown as %p', (seconds, shown) => {
  expect(formatClock(seconds)).toBe(shown);
});

test('a range shows both ends, joined by "to"', () => {
  expect(formatSpan(68.4, 88.8)).toBe('1:08.4 to 1:28.8');
});

test('a mark is rounded down to the second', () => {
  expect(formatMark(134.9)).toBe('2:14');
  expect(formatMark(3723.5)).toBe('1:02:03');
});

test('a length is in seconds', () => {
  expect(formatLength(20.42)).toBe('20.4 s');
});

describe('parsing a time', () => {
  test.each([
    ['1:17.4', 77.4],
    ['1:17', 77],
    ['77.4', 77.4],
    [' 0:05 ', 5],
    ['119:00', 7140],
    ['1:02:03.5', 3723.5],
  ])('%p is %d seconds', (text, seconds) => {
    expect(parseClock(text)).toBe(seconds);
  });

  test.each(['', '1:77', '1:75:00', '1:7', 'soon', '-4', '1:2:3', '1:17.'])('%p is not a time', (text) => {
    expect(parseClock(text)).toBeUndefined();
  });

  test.each([0, 5, 77.4, 599.9, 3723])('%d is unchanged after formatting and parsing', (seconds) => {
    expect(parseClock(formatClock(seconds))).toBe(seconds);
  });
});
