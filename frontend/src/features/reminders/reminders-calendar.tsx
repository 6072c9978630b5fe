import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { TodoReminderView } from '@roughmix/contracts/todos/todo.view.js';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { addMonths, type Day, dayOf, monthOf, startOfDay } from '../../shared/format/days';
import { useNow } from '../../shared/hooks/use-now';
import { ErrorState } from '../../shared/ui/error-state';
import { IconButton } from '../../shared/ui/icon-button';
import { DueList } from './due-list';
import { MonthGrid } from './month-grid';
import styles from './reminders.module.css';
import { remindersOf } from './reminders.queries';

const MONTH_NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });
const LONG_DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
/** Without a chosen day, the list shows the todos that are due next. */
const NEXT = 8;

export interface RemindersProps {
  readonly uid: Uid;
  readonly hrefOf: (reminder: TodoReminderView) => string;
}

const countsByDay = (reminders: readonly TodoReminderView[]): ReadonlyMap<Day, number> => {
  const counts = new Map<Day, number>();
  for (const { dueDate } of reminders) counts.set(dayOf(dueDate), (counts.get(dayOf(dueDate)) ?? 0) + 1);
  return counts;
};

function Due({ uid, hrefOf, selected }: RemindersProps & { readonly selected: Day | null }) {
  const now = useNow();
  const { data, error, isFetching, refetch } = useQuery(remindersOf(uid));
  if (data === undefined && error !== null) {
    return (
      <ErrorState onRetry={() => void refetch()} isPending={isFetching}>
        {errorMessage(error)}
      </ErrorState>
    );
  }
  if (data === undefined) return <p className="soft">...</p>;
  const label = selected === null ? 'Due next' : `Due on ${LONG_DAY.format(startOfDay(selected))}`;
  const shown = selected === null ? data.reminders.slice(0, NEXT) : data.reminders.filter(({ dueDate }) => dayOf(dueDate) === selected);
  if (shown.length === 0)
    return <p className="soft">{selected === null ? 'Nothing is due.' : `Nothing is due on ${LONG_DAY.format(startOfDay(selected))}.`}</p>;
  return (
    <>
      {selected !== null && (
        <p className="soft" aria-hidden>
          {label}
        </p>
      )}
      <DueList label={label} reminders={shown} todos={data.reminderTodos} now={now} hrefOf={hrefOf} />
    </>
  );
}

/** A calendar of what is due in all of the user's projects. A day lists its todos; pressed again, it lists what is due next. */
export function RemindersCalendar(props: RemindersProps) {
  const today = dayOf(useNow());
  const [month, setMonth] = useState(() => monthOf(today));
  const [selected, setSelected] = useState<Day | null>(null);
  const { data } = useQuery(remindersOf(props.uid));
  // A day of another month would filter the list without being seen.
  const show = (next: string) => {
    setMonth(next);
    setSelected(null);
  };
  const counts = countsByDay(data?.reminders ?? []);
  const title = MONTH_NAME.format(startOfDay(`${month}-01`));
  return (
    <>
      <div className={styles['head']}>
        <p className="soft" aria-live={month === monthOf(today) ? 'off' : 'polite'}>
          {title}
        </p>
        <IconButton size="s" label="Previous month" icon={ChevronLeft} onPress={() => show(addMonths(month, -1))} />
        <IconButton size="s" label="Next month" icon={ChevronRight} onPress={() => show(addMonths(month, 1))} />
      </div>
      <MonthGrid
        label={title}
        month={month}
        today={today}
        selected={selected}
        countOf={(day) => counts.get(day) ?? 0}
        onSelect={(day) => setSelected(day === selected ? null : day)}
        onMonth={show}
      />
      <Due {...props} selected={selected} />
    </>
  );
}
