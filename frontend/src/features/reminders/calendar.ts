import { addDays, type Day, startOfDay } from '../../shared/format/days';

/** A month, as `yyyy-mm`. */
export type Month = string;

const WEEKS = 6;
const DAYS_IN_WEEK = 7;

export const monthOf = (day: Day): Month => day.slice(0, 7);

/** The first day of a month so many months later. */
export function addMonths(month: Month, count: number): Month {
  const date = new Date(`${month}-15T12:00`);
  date.setMonth(date.getMonth() + count);
  return `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** Six weeks of seven days, from the Monday on or before the first of the month. */
export function weeksOf(month: Month): readonly (readonly Day[])[] {
  const first = `${month}-01`;
  const daysSinceMonday = (new Date(startOfDay(first)).getDay() + 6) % DAYS_IN_WEEK;
  const monday = addDays(first, -daysSinceMonday);
  return Array.from({ length: WEEKS }, (_, week) => Array.from({ length: DAYS_IN_WEEK }, (__, day) => addDays(monday, week * DAYS_IN_WEEK + day)));
}

const lastDayOf = (month: Month): Day => addDays(`${addMonths(month, 1)}-01`, -1);

/** The same day of a month so many months later, or its last one. */
export function sameDayInMonths(day: Day, count: number): Day {
  const month = addMonths(monthOf(day), count);
  const wanted = `${month}${day.slice(7)}`;
  const last = lastDayOf(month);
  return wanted > last ? last : wanted;
}

/** Where a key leads to in the grid; null for other keys. */
export function dayAfterKey(key: string, day: Day): Day | null {
  const weekday = (new Date(startOfDay(day)).getDay() + 6) % DAYS_IN_WEEK;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -DAYS_IN_WEEK);
    case 'ArrowDown':
      return addDays(day, DAYS_IN_WEEK);
    case 'Home':
      return addDays(day, -weekday);
    case 'End':
      return addDays(day, DAYS_IN_WEEK - 1 - weekday);
    case 'PageUp':
      return sameDayInMonths(day, -1);
    case 'PageDown':
      return sameDayInMonths(day, 1);
    default:
      return null;
  }
}
