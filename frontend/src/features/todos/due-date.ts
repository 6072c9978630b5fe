import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import type { TodoSubmission } from '@roughmix/contracts/todos/todo.api.js';
import { changeDue, type Due, NO_REMINDER, reminderIn, type ReminderLabel, reminderMap, sameDue } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { dayOf, instantOf, timeOfDay } from '../../shared/format/days';

const DEFAULT_DUE_TIME = '09:00';

/** A due date as a form has it, in the browser's zone. */
export interface DueFields {
  /** `yyyy-mm-dd`; empty for none. */
  readonly day: string;
  /** `hh:mm` */
  readonly time: string;
  readonly reminder: ReminderLabel;
}

export const dueOf = ({ dueDate, reminder }: Pick<TodoView, 'dueDate' | 'reminder'>): Due => ({
  dueDate,
  reminder: reminder === null ? null : reminderIn(reminder),
});

export const fieldsOf = ({ dueDate, reminder }: Due): DueFields => ({
  day: dueDate === null ? '' : dayOf(dueDate),
  time: dueDate === null ? DEFAULT_DUE_TIME : timeOfDay(dueDate),
  reminder: reminder?.label ?? NO_REMINDER,
});

/** What pressing Set would do with these fields. */
export type DueChoice =
  | { readonly kind: 'set'; readonly due: Due }
  /** The date was cleared: to be confirmed. */
  | { readonly kind: 'remove' }
  /** Nothing to set; `problem` says why, if it needs saying. */
  | { readonly kind: 'nothing'; readonly problem: string | null };

const NOTHING: DueChoice = { kind: 'nothing', problem: null };

export function choiceOf(current: Due, { day, time, reminder }: DueFields, now: Instant): DueChoice {
  if (day === '') {
    if (current.dueDate !== null) return { kind: 'remove' };
    return reminder === NO_REMINDER ? NOTHING : { kind: 'nothing', problem: detailOf('reminder.no-due-date') };
  }
  const dueDate = instantOf(day, time);
  if (Number.isNaN(dueDate)) return NOTHING;
  const due = changeDue(current, { dueDate, reminder }, now);
  if (typeof due === 'string') return { kind: 'nothing', problem: detailOf(due) };
  return sameDue(current, due) ? NOTHING : { kind: 'set', due };
}

/** The fields of a request that sets a due date, or removes it together with its reminder. */
export const dueChanges = ({ dueDate, reminder }: Due): Pick<TodoSubmission, 'dueDate' | 'reminder'> =>
  dueDate === null ? { dueDate } : { dueDate, reminder: reminderMap(reminder) };
