import type { Instant } from '@roughmix/contracts/shared/ids.js';

const DAY_MS = 24 * 60 * 60_000;
/** The hour of the day at which digests are sent. */
const HOUR = '08:00';

/** A day of a user's calendar, '2026-11-23'. */
export type Day = string;

/** When, and in whose time. */
export interface ZonedNow {
  readonly now: Instant;
  /** An IANA time zone; null (no browser has reported one) means UTC. */
  readonly zone: string | null;
  /** The day of the user's last digest; null before the first. */
  readonly lastDay: Day | null;
}

const dayIn = (utc: number): Day => new Date(utc).toISOString().slice(0, 10);

/** What a clock in the zone shows, as if it were UTC. */
function wallClock(at: Instant, zone: string | null): number {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone ?? 'UTC', hourCycle: 'h23', calendar: 'gregory', ...fields }).formatToParts(at);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The user's calendar day. */
export const dayOf = (at: Instant, zone: string | null): Day => dayIn(wallClock(at, zone));

/** The instant of 08:00 on a day. */
export function morningOf(day: Day, zone: string | null): Instant {
  const wanted = Date.parse(`${day}T${HOUR}Z`);
  let at = wanted;
  // The first guess may be on the other side of a clock change, where the offset differs.
  for (let guesses = 0; guesses < 2; guesses += 1) at = wanted - (wallClock(at, zone) - at);
  return at;
}

const isAfter = (day: Day, lastDay: Day | null): boolean => lastDay === null || day > lastDay;

/** Whether it is past 08:00 on a day without a digest. */
export function isDigestDue({ now, zone, lastDay }: ZonedNow): boolean {
  const today = dayOf(now, zone);
  return isAfter(today, lastDay) && morningOf(today, zone) <= now;
}

/** The next 08:00 on a day without a digest. */
export function nextDigest({ now, zone, lastDay }: ZonedNow): Instant {
  for (let day = dayOf(now, zone); ; day = dayIn(Date.parse(day) + DAY_MS)) {
    const morning = morningOf(day, zone);
    if (morning > now && isAfter(day, lastDay)) return morning;
  }
}
