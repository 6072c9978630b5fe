import { describe, expect, test } from '@jest/globals';
import { relativePast, relativeTime } from './relative-time.js';

const now = Date.UTC(2022, 8, 14, 18, 30);
const minutes = (n: number) => n * 60_000;
const hours = (n: number) => minutes(n * 60);
const days = (n: number) => hours(n * 24);
const worded = (then: number) => relativeTime(then, now, 'UTC');

describe('an instant in the past', () => {
  test.each([
    [0, 'moments ago'],
    [59_999, 'moments ago'],
    [minutes(1), '1 minute ago'],
    [minutes(12), '12 minutes ago'],
    [hours(1) - 1, '59 minutes ago'],
    [hours(1), '1 hour ago'],
    [hours(12), '12 hours ago'],
    [hours(12) + 1, 'today @ 06:29'],
    [hours(18), 'today @ 00:30'],
    [hours(19), 'Yesterday @ 23:30'],
    [hours(42), 'Yesterday @ 00:30'],
    [hours(43), '2 days ago'],
    [days(6), '6 days ago'],
    [days(7), '1 week ago'],
    [days(29), '4 weeks ago'],
    [days(30), '1 month ago'],
    [days(61), '2 months ago'],
    [days(364), '11 months ago'],
    [days(365), '1 year ago'],
    [days(800), '2 years ago'],
  ])('%d ms before now is %p', (before, words) => {
    expect(worded(now - before)).toBe(words);
  });
});

describe('an instant in the future', () => {
  test.each([
    [1, 'in moments'],
    [minutes(1), 'in 1 minute'],
    [hours(12), 'in 12 hours'],
    [hours(14.5), 'Tomorrow @ 09:00'],
    [days(3), 'in 3 days'],
    [days(14), 'in 2 weeks'],
    [days(90), 'in 2 months'],
    [days(366), 'in 1 year'],
  ])('%d ms after now is %p', (after, words) => {
    expect(worded(now + after)).toBe(words);
  });

  test('more than twelve hours ahead on the same date is today', () => {
    const morning = Date.UTC(2022, 8, 14, 7, 0);
    expect(relativeTime(Date.UTC(2022, 8, 14, 20, 15), morning, 'UTC')).toBe('today @ 20:15');
  });
});

test('days are separated at midnight of the given zone', () => {
  const then = Date.UTC(2022, 8, 14, 3, 0);
  expect(relativeTime(then, now, 'UTC')).toBe('today @ 03:00');
  expect(relativeTime(then, now, 'America/New_York')).toBe('Yesterday @ 23:00');
});

test('a night that loses an hour still separates two days', () => {
  const beforeTheChange = Date.UTC(2022, 2, 26, 20, 0);
  expect(relativeTime(beforeTheChange, beforeTheChange + hours(23), 'Europe/Berlin')).toBe('Yesterday @ 21:00');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e17])('%d is an unknown timeframe', (then) => {
  expect(worded(then)).toBe('unknown timeframe');
  expect(relativePast(then, now, 'UTC')).toBe('unknown timeframe');
});

test('what has happened is never ahead of now', () => {
  expect(relativePast(now + minutes(5), now, 'UTC')).toBe('moments ago');
  expect(relativePast(now - minutes(5), now, 'UTC')).toBe('5 minutes ago');
});

test('a zone that does not exist is refused', () => {
  expect(() => relativeTime(now - hours(20), now, 'Low/Tide')).toThrow(RangeError);
});
