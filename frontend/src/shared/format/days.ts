import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** A day in the browser's zone, as `yyyy-mm-dd`. */
export type Day = string;

const DAY_MS = 86_400_000;

/** Within a day, or past. */
export const isDueSoon = (dueDate: Instant, now: Instant): boolean => dueDate - now <= DAY_MS;

const two = (n: number) => String(n).padStart(2, '0');

const dayOfDate = (date: Date): Day => `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

export const dayOf = (at: Instant): Day => dayOfDate(new Date(at));

/** The time of day in the browser's zone, as `hh:mm`. */
export const timeOfDay = (at: Instant): string => `${two(new Date(at).getHours())}:${two(new Date(at).getMinutes())}`;

/** The first moment of a day. */
export const startOfDay = (day: Day): Instant => new Date(`${day}T00:00`).getTime();

/** Counts days of the calendar: some have 23 or 25 hours. */
export function addDays(day: Day, count: number): Day {
  const date = new Date(`${day}T12:00`);
  date.setDate(date.getDate() + count);
  return dayOfDate(date);
}
