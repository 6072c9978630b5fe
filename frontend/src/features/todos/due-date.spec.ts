import { expect, test } from '@jest/globals';
import { changeDue, type Due, NOT_DUE, type SetReminderLabel } from '@roughmix/contracts/todos/todo.due.js';
import { choiceOf, dueChanges, fieldsOf } from './due-date';

/** In the browser's zone. */
const at = (local: string) => new Date(local).getTime();
const NOW = at('2026-03-02T12:00');
const due = (local: string, reminder: SetReminderLabel | 'None' = 'None'): Due => {
  const changed = changeDue(NOT_DUE, { dueDate: at(local), reminder }, 0);
  if (typeof changed === 'string') throw new Error(changed);
  return changed;
};

test('a todo that is not due yet is offered 09:00 without a reminder', () => expect(fieldsOf(NOT_DUE)).toEqual({ day: '', time: '09:00', reminder: 'None' }));

test('a due date is shown in the zone of the browser', () =>
  expect(fieldsOf(due('2026-03-09T18:05', '1 hour before'))).toEqual({ day: '2026-03-09', time: '18:05', reminder: '1 hour before' }));

test('a day is set at its time in the zone of the browser, with the reminder that goes with it', () => {
  const choice = choiceOf(NOT_DUE, { day: '2026-03-09', time: '09:00', reminder: '1 day before' }, NOW);
  const wanted: Due = { dueDate: at('2026-03-09T09:00'), reminder: { label: '1 day before', at: at('2026-03-09T09:00') - 24 * 3_600_000 } };
  expect(choice).toEqual({ kind: 'set', due: wanted });
  expect(dueChanges(wanted)).toEqual({ dueDate: wanted.dueDate, reminder: { '1 day before': wanted.reminder?.at } });
});

test('a due date can be in the past, a reminder cannot', () => {
  const fields = { day: '2026-03-02', time: '12:10' } as const;
  expect(choiceOf(NOT_DUE, { day: '2026-03-01', time: '09:00', reminder: 'None' }, NOW)).toMatchObject({ kind: 'set' });
  expect(choiceOf(NOT_DUE, { ...fields, reminder: '5 minutes before' }, NOW)).toMatchObject({ kind: 'set' });
  expect(choiceOf(NOT_DUE, { ...fields, reminder: '10 minutes before' }, NOW)).toEqual({ kind: 'nothing', problem: 'This reminder would be in the past.' });
});

test('a date after the year 9999 cannot be set, and one that is stored is shown', () => {
  const fields = { day: '10000-01-02', time: '09:00', reminder: 'None' } as const;
  expect(choiceOf(NOT_DUE, fields, NOW)).toEqual({ kind: 'nothing', problem: 'Choose a date before the year 10000.' });
  const stored: Due = { dueDate: new Date(20_266, 11, 1, 9).getTime(), reminder: null };
  expect(fieldsOf(stored)).toEqual({ day: '20266-12-01', time: '09:00', reminder: 'None' });
  expect(choiceOf(stored, fieldsOf(stored), NOW)).toEqual({ kind: 'nothing', problem: null });
  expect(choiceOf(stored, { ...fieldsOf(stored), day: '' }, NOW)).toEqual({ kind: 'remove' });
});

test('a reminder needs a due date', () =>
  expect(choiceOf(NOT_DUE, { day: '', time: '09:00', reminder: '1 hour before' }, NOW)).toEqual({ kind: 'nothing', problem: 'Set a due date first.' }));

test('an empty day removes a due date, and does nothing without one', () => {
  const fields = { day: '', time: '09:00', reminder: 'None' } as const;
  expect(choiceOf(due('2026-03-09T09:00'), fields, NOW)).toEqual({ kind: 'remove' });
  expect(choiceOf(NOT_DUE, fields, NOW)).toEqual({ kind: 'nothing', problem: null });
  expect(dueChanges(NOT_DUE)).toEqual({ dueDate: null });
});

test('there is nothing to set for unchanged fields, and for a time that is not complete', () => {
  const current = due('2026-03-09T09:00', '1 hour before');
  expect(choiceOf(current, fieldsOf(current), NOW)).toEqual({ kind: 'nothing', problem: null });
  expect(choiceOf(current, { ...fieldsOf(current), time: '' }, NOW)).toEqual({ kind: 'nothing', problem: null });
});
