import { describe, expect, test } from '@jest/globals';
import { dayOf, isDigestDue, morningOf, nextDigest } from './digest-times.js';

const instant = (text: string): number => Date.parse(text);
const shown = (at: number): string => new Date(at).toISOString().replace('.000', '');

test.each([
  [null, '2026-11-23', '2026-11-23T08:00:00Z'],
  ['Europe/Berlin', '2026-11-23', '2026-11-23T07:00:00Z'],
  ['America/Los_Angeles', '2026-11-23', '2026-11-23T16:00:00Z'],
  ['Asia/Kolkata', '2026-11-23', '2026-11-23T02:30:00Z'],
  ['Asia/Kathmandu', '2026-11-23', '2026-11-23T02:15:00Z'],
  ['Australia/Lord_Howe', '2026-07-01', '2026-06-30T21:30:00Z'],
  ['Pacific/Kiritimati', '2026-11-23', '2026-11-22T18:00:00Z'],
  ['Pacific/Niue', '2026-11-23', '2026-11-23T19:00:00Z'],
  // The clock changes some hours before.
  ['Europe/Berlin', '2026-03-29', '2026-03-29T06:00:00Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T07:00:00Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T12:00:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T13:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T21:30:00Z'],
])('in %s it is 08:00 of %s at %s', (zone, day, at) => {
  expect(shown(morningOf(day, zone))).toBe(at);
});

test('a day is that of the zone', () => {
  const at = instant('2026-12-31T23:30:00Z');
  expect([null, 'Europe/Berlin', 'America/New_York'].map((zone) => dayOf(at, zone))).toEqual(['2026-12-31', '2027-01-01', '2026-12-31']);
});

describe('a digest in Berlin', () => {
  const zone = 'Europe/Berlin';
  test.each([
    ['2026-11-23T06:59:59Z', null, false],
    ['2026-11-23T07:00:00Z', null, true],
    ['2026-11-23T07:00:00Z', '2026-11-22', true],
    ['2026-11-23T22:59:59Z', '2026-11-20', true],
    ['2026-11-23T07:00:00Z', '2026-11-23', false],
    ['2026-11-23T23:00:00Z', '2026-11-23', false],
    ['2026-11-24T07:00:00Z', '2026-11-23', true],
  ])('at %s, after that of %s, is due: %s', (at, lastDay, isDue) => {
    expect(isDigestDue({ now: instant(at), zone, lastDay })).toBe(isDue);
  });

  test.each([
    ['2026-11-23T06:59:59Z', null, '2026-11-23T07:00:00Z'],
    ['2026-11-23T07:00:00Z', null, '2026-11-24T07:00:00Z'],
    ['2026-11-23T07:00:00Z', '2026-11-23', '2026-11-24T07:00:00Z'],
    ['2026-11-23T06:00:00Z', '2026-11-23', '2026-11-24T07:00:00Z'],
    ['2026-03-28T07:00:00Z', '2026-03-28', '2026-03-29T06:00:00Z'],
    ['2026-10-24T06:00:00Z', '2026-10-24', '2026-10-25T07:00:00Z'],
    ['2026-12-31T07:00:00Z', '2026-12-31', '2027-01-01T07:00:00Z'],
  ])('after %s and the day %s, the next one is at %s', (now, lastDay, next) => {
    expect(shown(nextDigest({ now: instant(now), zone, lastDay }))).toBe(next);
  });
});

test('a user who travels has one digest for each day of their calendar', () => {
  const now = instant('2026-11-23T07:00:00Z');
  expect(shown(nextDigest({ now, zone: 'America/New_York', lastDay: '2026-11-23' }))).toBe('2026-11-24T13:00:00Z');
  expect(shown(nextDigest({ now, zone: 'America/New_York', lastDay: '2026-11-22' }))).toBe('2026-11-23T13:00:00Z');
  expect(shown(nextDigest({ now, zone: 'Pacific/Auckland', lastDay: '2026-11-23' }))).toBe('2026-11-23T19:00:00Z');
});

test('a year of digests has one at 08:00 of every day', () => {
  for (const zone of ['Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca']) {
    let now = instant('2026-01-01T00:00:00Z');
    let lastDay: string | null = null;
    const days = new Set<string>();
    for (let times = 0; times < 365; times += 1) {
      now = nextDigest({ now, zone, lastDay });
      lastDay = dayOf(now, zone);
      days.add(lastDay);
      expect(new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(now)).toBe('08:00');
    }
    expect(days.size).toBe(365);
  }
});
