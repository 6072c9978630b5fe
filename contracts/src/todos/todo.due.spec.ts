import { describe, expect, test } from '@jest/globals';
import {
  changeDue,
  type Due,
  LATEST_DUE_DATE,
  NOT_DUE,
  REMINDER_LABELS,
  REMINDER_OFFSETS,
  reminderAt,
  reminderIn,
  reminderLabel,
  reminderMap,
  type ReminderLabel,
  reminderSentence,
  reminderSentenceAt,
  type SetReminderLabel,
} from './todo.due.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 1_700_000_000_000;
const DUE_DATE = NOW + 10 * HOUR;

const due = (label: ReminderLabel, dueDate = DUE_DATE): Due => {
  const changed = changeDue(NOT_DUE, { dueDate, reminder: label }, 0);
  if (typeof changed === 'string') throw new Error(changed);
  return changed;
};

test('the labels are those of the spec, in its order', () => {
  expect(REMINDER_LABELS).toEqual([
    'None',
    'When Todo is due',
    '5 minutes before',
    '10 minutes before',
    '15 minutes before',
    '30 minutes before',
    '1 hour before',
    '2 hours before',
    '1 day before',
    '2 days before',
  ]);
});

test.each<[ReminderLabel, number]>([
  ['When Todo is due', 0],
  ['5 minutes before', 5 * MINUTE],
  ['10 minutes before', 10 * MINUTE],
  ['15 minutes before', 15 * MINUTE],
  ['30 minutes before', 30 * MINUTE],
  ['1 hour before', HOUR],
  ['2 hours before', 2 * HOUR],
  ['1 day before', 24 * HOUR],
  ['2 days before', 48 * HOUR],
])('a reminder %s is %d ms before the due date', (label, offset) => {
  expect(changeDue(NOT_DUE, { dueDate: DUE_DATE + 48 * HOUR, reminder: label }, NOW)).toEqual({
    dueDate: DUE_DATE + 48 * HOUR,
    reminder: { label, at: DUE_DATE + 48 * HOUR - offset },
  });
});

describe('a change of a due date', () => {
  test('leaves what it does not name', () => expect(changeDue(due('1 hour before'), {}, NOW)).toEqual(due('1 hour before')));

  test('moves the reminder with it', () =>
    expect(changeDue(due('1 hour before'), { dueDate: DUE_DATE + HOUR }, NOW)).toEqual({
      dueDate: DUE_DATE + HOUR,
      reminder: { label: '1 hour before', at: DUE_DATE },
    }));

  test('may be to the past when there is no reminder', () => expect(changeDue(NOT_DUE, { dueDate: 0 }, NOW)).toEqual({ dueDate: 0, reminder: null }));

  test('to null removes the reminder too', () => {
    expect(changeDue(due('1 hour before'), { dueDate: null }, NOW)).toEqual(NOT_DUE);
    expect(changeDue(due('1 hour before'), { dueDate: null, reminder: null }, NOW)).toEqual(NOT_DUE);
    expect(changeDue(due('1 hour before'), { dueDate: null, reminder: 'None' }, NOW)).toEqual(NOT_DUE);
  });

  test('a reminder of null needs a due date of null', () => {
    expect(changeDue(due('None'), { reminder: null }, NOW)).toBe('request.invalid');
    expect(changeDue(NOT_DUE, { reminder: null }, NOW)).toBe('request.invalid');
    expect(changeDue(NOT_DUE, { dueDate: DUE_DATE, reminder: null }, NOW)).toBe('request.invalid');
  });

  test('a reminder needs a due date', () => {
    expect(changeDue(NOT_DUE, { reminder: '1 hour before' }, NOW)).toBe('reminder.no-due-date');
    expect(changeDue(due('None'), { dueDate: null, reminder: '1 hour before' }, NOW)).toBe('reminder.no-due-date');
    expect(changeDue(NOT_DUE, { reminder: 'None' }, NOW)).toEqual(NOT_DUE);
  });
});

describe('a reminder in the past', () => {
  const past = due('1 hour before', NOW);

  test('cannot be set, not even at this very instant', () => {
    expect(changeDue(NOT_DUE, { dueDate: NOW + HOUR, reminder: '1 hour before' }, NOW)).toBe('reminder.past');
    expect(changeDue(NOT_DUE, { dueDate: NOW + HOUR + 1, reminder: '1 hour before' }, NOW)).toEqual(due('1 hour before', NOW + HOUR + 1));
    expect(changeDue(due('None', NOW), { reminder: '2 days before' }, NOW)).toBe('reminder.past');
  });

  test('cannot result from a new due date', () => expect(changeDue(due('1 hour before'), { dueDate: NOW + 5 * MINUTE }, NOW)).toBe('reminder.past'));

  test('may stay where it is', () => {
    expect(changeDue(past, {}, NOW)).toEqual(past);
    expect(changeDue(past, { dueDate: NOW, reminder: '1 hour before' }, NOW)).toEqual(past);
  });

  test('can be removed', () => expect(changeDue(past, { reminder: 'None' }, NOW)).toEqual({ dueDate: NOW, reminder: null }));
});

describe('a date after the year 9999', () => {
  const far: Due = { dueDate: LATEST_DUE_DATE + 2 * HOUR, reminder: null };

  test('cannot be set, also where the reminder is before it', () => {
    expect(changeDue(NOT_DUE, { dueDate: LATEST_DUE_DATE }, NOW)).toEqual({ dueDate: LATEST_DUE_DATE, reminder: null });
    expect(changeDue(NOT_DUE, { dueDate: LATEST_DUE_DATE + 1 }, NOW)).toBe('reminder.too-far');
    expect(changeDue(NOT_DUE, { dueDate: LATEST_DUE_DATE + 1, reminder: '1 hour before' }, NOW)).toBe('reminder.too-far');
    expect(changeDue(far, { reminder: '1 hour before' }, NOW)).toBe('reminder.too-far');
  });

  test('that was set before this rule may stay, and be removed', () => {
    expect(changeDue(far, {}, NOW)).toEqual(far);
    expect(changeDue(far, { reminder: '2 hours before' }, NOW)).toEqual({ ...far, reminder: { label: '2 hours before', at: LATEST_DUE_DATE } });
    expect(changeDue(far, { dueDate: null }, NOW)).toEqual(NOT_DUE);
  });
});

test('a reminder that fires says how long is left by its label', () =>
  expect([reminderSentence('When Todo is due'), reminderSentence('15 minutes before'), reminderSentence('1 hour before')]).toEqual([
    'Due now',
    'Due in 15 minutes',
    'Due in 1 hour',
  ]));

test.each<[label: SetReminderLabel, late: string, sentence: string]>([
  ['15 minutes before', '00:02:00', 'Due in 15 minutes'],
  ['15 minutes before', '00:02:01', 'Due in 13 minutes'],
  ['15 minutes before', '00:10:20', 'Due in 5 minutes'],
  ['15 minutes before', '00:14:59', 'Due in 1 minute'],
  ['15 minutes before', '00:15:00', 'Overdue'],
  ['When Todo is due', '00:01:30', 'Due now'],
  ['When Todo is due', '00:02:01', 'Overdue'],
  ['2 hours before', '00:40:00', 'Due in 1 hour 20 minutes'],
  ['2 hours before', '01:00:00', 'Due in 1 hour'],
  ['2 days before', '20:59:59', 'Due in 1 day 3 hours'],
  ['2 days before', '24:00:00', 'Due in 1 day'],
])('a reminder %s that is sent %s late says %s', (label, late, sentence) => {
  const [hours = 0, minutes = 0, seconds = 0] = late.split(':').map(Number);
  const at = DUE_DATE - REMINDER_OFFSETS[label];
  expect(reminderSentenceAt({ label, at }, at + ((hours * 60 + minutes) * 60 + seconds) * 1_000)).toBe(sentence);
  expect(reminderAt(at, DUE_DATE)).toEqual({ label, at });
});

test('no reminder is at any other distance from the due date', () => expect(reminderAt(DUE_DATE - 1, DUE_DATE)).toBeNull());

describe('the wire form', () => {
  test('is a map with one entry', () => {
    expect(reminderMap(due('1 hour before').reminder)).toEqual({ '1 hour before': DUE_DATE - HOUR });
    expect(reminderMap(null)).toEqual({ None: -1 });
  });

  test('names no reminder by its label or by -1', () => {
    expect(reminderIn({ None: 5 })).toBeNull();
    expect(reminderIn({ '1 hour before': -1 })).toBeNull();
    expect(reminderIn({ '1 hour before': 5 })).toEqual({ label: '1 hour before', at: 5 });
    expect([reminderLabel({ None: -1 }), reminderLabel({ '1 hour before': -1 }), reminderLabel({ '1 hour before': 0 })]).toEqual([
      'None',
      'None',
      '1 hour before',
    ]);
  });
});
