import { describe, expect, test } from '@jest/globals';
import type { Due } from '@roughmix/contracts/todos/todo.due.js';
import type { ProjectCommand } from '../projects/project.decider.js';
import { eventsOf, given } from '../testing/given.js';
import { aProject, type ProjectHistory } from '../testing/project-history.js';

const NOW = 1_800_000_000_000;
const HOUR = 60 * 60_000;
const reminder = { label: '1 hour before', at: NOW + HOUR } as const;
const dueSoon: Due = { dueDate: NOW + 2 * HOUR, reminder };
const set = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob', { write: true }).withTodo('t1', { by: 'bob', due: dueSoon });
const fire = (type: 'FireReminder' | 'SkipReminder' = 'FireReminder', at = NOW + HOUR): ProjectCommand => ({ type, data: { todoId: 't1', at } });

describe('a reminder', () => {
  test('fires, or counts as sent after a restore', () => {
    given(set)
      .when(fire(), null)
      .then([{ type: 'TodoReminderFired', data: { todoId: 't1', reminder } }]);
    given(set)
      .when(fire('SkipReminder'), null)
      .then([{ type: 'TodoReminderSkipped', data: { todoId: 't1', reminder } }]);
  });

  const moved: Due = { dueDate: NOW + 3 * HOUR, reminder: { label: '1 hour before', at: NOW + 2 * HOUR } };
  test.each<[string, ProjectHistory]>([
    ['the todo was completed', set.completing('t1')],
    ['the todo was removed', set.withoutTodo('t1', { by: 'bob' })],
    ['its due date moved', set.withTodoDue('t1', dueSoon, moved)],
    ['it was removed', set.withTodoDue('t1', dueSoon, { ...dueSoon, reminder: null })],
    ['it was sent', set.reminded('t1', reminder)],
    ['the project was removed', set.removed()],
  ])('does not fire if %s', (_what, history) => {
    for (const type of ['FireReminder', 'SkipReminder'] as const) given(history).when(fire(type), null).thenNothing();
  });

  test('that was sent fires again once it is moved', () => {
    const again = set.reminded('t1', reminder).withTodoDue('t1', dueSoon, moved);
    expect(eventsOf(given(again).when(fire('FireReminder', NOW + 2 * HOUR), null))).toMatchObject([{ type: 'TodoReminderFired' }]);
    given(set.reminded('t1', reminder).withTodoDue('t1', dueSoon, { dueDate: NOW + HOUR, reminder: { label: 'When Todo is due', at: NOW + HOUR } }))
      .when(fire(), null)
      .thenNothing();
  });

  test('is fired by the system only', () => given(set).when(fire(), 'ana').thenRefused('project.not-allowed'));
});
