import { useEffect, useRef, useState } from 'react';
import { type Day, type Month, monthOf, startOfDay } from '../../shared/format/days';
import { classNames } from '../../shared/ui/class-names';
import { dayAfterKey, weeksOf } from './calendar';
import styles from './reminders.module.css';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const LONG_DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

interface MonthGridProps {
  /** Its accessible name. */
  readonly label: string;
  readonly month: Month;
  readonly today: Day;
  /** The day whose todos are listed; null for none. */
  readonly selected: Day | null;
  /** How many todos are due on a day. */
  readonly countOf: (day: Day) => number;
  readonly onSelect: (day: Day) => void;
  /** The keyboard left the month. */
  readonly onMonth: (month: Month) => void;
}

/** Six weeks of a calendar. Arrow keys move by days and weeks, Page Up and Page Down by months. */
export function MonthGrid({ label, month, today, selected, countOf, onSelect, onMonth }: MonthGridProps) {
  const [reached, setReached] = useState<Day | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const weeks = weeksOf(month);
  const days = weeks.flat();
  const focusable = [reached, selected, today].find((day) => day !== null && days.includes(day)) ?? `${month}-01`;
  useEffect(() => {
    if (reached !== null) grid.current?.querySelector<HTMLElement>(`[data-day="${reached}"]`)?.focus();
  }, [reached]);
  const move = (key: string): boolean => {
    const next = dayAfterKey(key, focusable);
    if (next === null) return false;
    setReached(next);
    if (!days.includes(next) || key.startsWith('Page')) onMonth(monthOf(next));
    return true;
  };
  const nameOf = (day: Day): string => {
    const due = countOf(day);
    return `${LONG_DATE.format(startOfDay(day))}${due === 0 ? '' : `, ${due} due`}`;
  };
  return (
    <div
      ref={grid}
      className={styles['grid']}
      role="grid"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (move(event.key)) event.preventDefault();
      }}
    >
      <div role="row">
        {WEEKDAYS.map((name) => (
          <span key={name} role="columnheader" aria-label={name}>
            {name.charAt(0)}
          </span>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week[0]} role="row">
          {week.map((day) => (
            <div key={day} role="gridcell" aria-selected={day === selected}>
              <button
                type="button"
                data-day={day}
                data-due={Math.min(countOf(day), 2)}
                className={classNames(monthOf(day) !== month && styles['outside'], day === selected && styles['selected'])}
                tabIndex={day === focusable ? 0 : -1}
                aria-label={nameOf(day)}
                aria-current={day === today ? 'date' : undefined}
                onClick={() => onSelect(day)}
              >
                {Number(day.slice(-'dd'.length))}
              </button>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
