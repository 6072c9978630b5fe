import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { TodoReminderView, TodosById } from '@roughmix/contracts/todos/todo.view.js';
import { Link } from 'react-router-dom';
import { addDays, dayOf, isDueSoon, startOfDay, timeOfDay } from '../../shared/format/days';
import { classNames } from '../../shared/ui/class-names';
import { textStart } from '@roughmix/contracts/shared/post-text.js';
import styles from './reminders.module.css';

const TEXT_LENGTH = 90;
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const SHORT_DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** 'today', 'tomorrow', 'Friday' within a week, else '22 Sep'. */
function dayWord(at: Instant, now: Instant): string {
  const [day, today] = [dayOf(at), dayOf(now)];
  if (day === today) return 'today';
  if (day === addDays(today, 1)) return 'tomorrow';
  if (day === addDays(today, -1)) return 'yesterday';
  return day > today && day < addDays(today, 7) ? WEEKDAY.format(startOfDay(day)) : SHORT_DATE.format(startOfDay(day));
}

interface DueListProps {
  readonly label: string;
  readonly reminders: readonly TodoReminderView[];
  readonly todos: TodosById;
  readonly now: Instant;
  readonly hrefOf: (reminder: TodoReminderView) => string;
}

/** Todos that are due; each leads to its place. */
export const DueList = ({ label, reminders, todos, now, hrefOf }: DueListProps) => (
  <ul className={styles['list']} aria-label={label}>
    {reminders.map((reminder) => {
      const { todoId, dueDate, projectName } = reminder;
      const todo = todos[todoId];
      return (
        <li key={todoId}>
          <Link to={hrefOf(reminder)} className={classNames(styles['due'], isDueSoon(dueDate, now) && styles['soon'])}>
            <time dateTime={new Date(dueDate).toISOString()}>
              {timeOfDay(dueDate)}
              <br />
              {dayWord(dueDate, now)}
            </time>
            <span>
              {todo === undefined ? '...' : textStart(todo.content, TEXT_LENGTH)}
              <span className="meta">{projectName}</span>
            </span>
          </Link>
        </li>
      );
    })}
  </ul>
);
