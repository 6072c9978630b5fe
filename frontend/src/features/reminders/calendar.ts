import { addDays, addMonths, type Day, type Month, monthOf, startOfDay } from '../../shared/format/days';

const WEEKS = 6;
const DAYS_IN_WEEK = 7;

/** Days since Monday. */
const weekdayOf = (day: Day): number => (new Date(startOfDay(day)).getDay() + 6) % DAYS_IN_WEEK;

/** Six weeks of seven days, from the Monday on or before the first of the month. */
export function weeksOf(month: Month): readonly (readonly Day[])[] {
  const first = `${month}-01`;
  const monday = addDays(first, -weekdayOf(first));
  return Array.from({ length: WEEKS }, (_, week) => Array.from({ length: DAYS_IN_WEEK }, (__, day) => addDays(monday, week * DAYS_IN_WEEK + day)));
}

const lastDayOf = (month: Month): Day => addDays(`${addMonths(month, 1)}-01`, -1);

/** The same day of a month so many months later, or its last one. */
function sameDayInMonths(day: Day, count: number): Day {
  const month = addMonths(monthOf(day), count);
  const wanted = `${month}${day.slice(-'-dd'.length)}`;
  const last = lastDayOf(month);
  return wanted > last ? last : wanted;
}

/** Where a key leads to in the grid; null for other keys. */
export function dayAfterKey(key: string, day: Day): Day | null {
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
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, DAYS_IN_WEEK - 1 - weekdayOf(day));
    case 'PageUp':
      return sameDayInMonths(day, -1);
    case 'PageDown':
      return sameDayInMonths(day, 1);
    default:
      return null;
  }
}
