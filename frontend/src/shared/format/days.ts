import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** A day in the browser's zone, as `yyyy-mm-dd`; years after 9999 have more digits. */
export type Day = string;

const DAY_MS = 86_400_000;

/** Within a day, or past. */
export const isDueSoon = (dueDate: Instant, now: Instant): boolean => dueDate - now <= DAY_MS;

const two = (n: number) => String(n).padStart(2, '0');

const dayOfDate = (date: Date): Day => `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

export const dayOf = (at: Instant): Day => dayOfDate(new Date(at));

/** The time of day in the browser's zone, as `hh:mm`. */
export const timeOfDay = (at: Instant): string => `${two(new Date(at).getHours())}:${two(new Date(at).getMinutes())}`;

/** A moment of a day; `time` is `hh:mm`. NaN for anything else. */
export function instantOf(day: Day, time: string): Instant {
  // Not parsed as one text, which may have no year after 9999.
  const [year, month, date, hours, minutes] = `${day}-${time}`.split(/[-:]/).map((part) => (part === '' ? NaN : Number(part)));
  return new Date(year ?? NaN, (month ?? NaN) - 1, date, hours ?? NaN, minutes ?? NaN).getTime();
}

/** The first moment of a day. */
export const startOfDay = (day: Day): Instant => instantOf(day, '00:00');

const noonOf = (day: Day): Date => new Date(instantOf(day, '12:00'));

/** Counts days of the calendar: some have 23 or 25 hours. */
export function addDays(day: Day, count: number): Day {
  const date = noonOf(day);
  date.setDate(date.getDate() + count);
  return dayOfDate(date);
}

/** A month, as `yyyy-mm`. */
export type Month = string;

export const monthOf = (day: Day): Month => day.slice(0, -'-dd'.length);

/** The first day of a month so many months later. */
export function addMonths(month: Month, count: number): Month {
  const date = noonOf(`${month}-15`);
  date.setMonth(date.getMonth() + count);
  return monthOf(dayOfDate(date));
}
