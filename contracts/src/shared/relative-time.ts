import type { Instant } from './ids.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST_HOURS = 12;
const DAYS_IN_MONTH = 365.25 / 12;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter is slow and lists format hundreds of times, so one is cached per zone. */
const formatterOf = (zone: string | undefined): Intl.DateTimeFormat => {
  const key = zone ?? '';
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(key, made);
  return made;
};

interface WallClock {
  /** Days since 1970 of the local date. */
  readonly day: number;
  /** `hh:mm`, 24 hours. */
  readonly time: string;
}

const wallClock = (at: Instant, zone: string | undefined): WallClock => {
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '0';
  const midnight = Date.UTC(Number(part('year')), Number(part('month')) - 1, Number(part('day')));
  return { day: midnight / DAY, time: `${part('hour')}:${part('minute')}` };
};

const count = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`;

const wholeDays = (days: number): string => {
  if (days < 7) return count(days, 'day');
  if (days < 30) return count(Math.floor(days / 7), 'week');
  if (days < 365) return count(Math.max(1, Math.floor(days / DAYS_IN_MONTH)), 'month');
  return count(Math.floor(days / 365), 'year');
};

/** Whether a `Date` can hold it. */
export const isInstant = (at: Instant): boolean => Number.isFinite(at) && Math.abs(at) <= 8.64e15;

/**
 * When something happened or will happen, as the whole product words it: 'moments ago', '12 minutes ago',
 * '3 hours ago' (up to 12), 'today @ 08:05', 'Yesterday @ 21:40', '3 days ago', '2 weeks ago' (under 30 days),
 * '5 months ago' (under 365 days), '2 years ago'; ahead of now 'in 12 minutes', 'Tomorrow @ 09:00', 'in 3 days'.
 * Anything that is not an instant is 'unknown timeframe'.
 * @param zone IANA zone whose midnight separates the days; the machine's own by default.
 * @throws RangeError when the zone is unknown.
 */
export const relativeTime = (then: Instant, now: Instant, zone?: string): string => {
  if (!isInstant(then) || !isInstant(now)) return 'unknown timeframe';
  const ahead = then > now;
  const distance = Math.abs(now - then);
  const worded = (amount: string) => (ahead ? `in ${amount}` : `${amount} ago`);
  if (distance < MINUTE) return worded('moments');
  if (distance < HOUR) return worded(count(Math.floor(distance / MINUTE), 'minute'));
  if (distance <= MOST_HOURS * HOUR) return worded(count(Math.floor(distance / HOUR), 'hour'));
  const wall = wallClock(then, zone);
  const days = Math.abs(wallClock(now, zone).day - wall.day);
  if (days === 0) return `today @ ${wall.time}`;
  if (days === 1) return `${ahead ? 'Tomorrow' : 'Yesterday'} @ ${wall.time}`;
  return worded(wholeDays(days));
};

/** As {@link relativeTime}, for what has happened: an instant slightly after now, as clocks differ, is 'moments ago'. */
export const relativePast = (then: Instant, now: Instant, zone?: string): string => relativeTime(isInstant(then) ? Math.min(then, now) : then, now, zone);
