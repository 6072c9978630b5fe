import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Due, NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import { foldedBy } from '../testing/projected-documents.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import type { TodoDocument } from './todos.documents.js';
import { todosProjector } from './todos.projector.js';

let testStores: TestStores;
beforeAll(async () => {
  testStores = await openTestStores();
});
afterAll(() => testStores.close());

async function after(history: ProjectHistory, todoId = 't1'): Promise<TodoDocument | null> {
  return (await foldedBy(testStores, todosProjector, history.events))[`todos/${todoId}`] as TodoDocument | null;
}
const at = (history: ProjectHistory) => history.events.at(-1)?.meta.at;
const stamp = { versionId: 'v1', at: 3 };
const reminder = { label: 'When Todo is due', at: 1_800_000_000_000 } as const;
const due: Due = { dueDate: reminder.at, reminder };
const version = { versionId: 'v1', majorUpdate: 1, minorUpdate: 0 };
const planned = aProject()
  .ownedBy('ana')
  .sharedWith('bob', { write: true })
  .withVersion('v1')
  .withTodo('t1', { by: 'bob', taggedUsers: ['ana'], tags: ['r1'], stamp, due });
const answered = planned.withTodoReply('t2', { by: 'ana', to: 't1', parentOwnerUid: 'bob', tags: ['r1'] });

test('a todo is stored with all its fields', async () => {
  expect(await after(planned)).toEqual({
    todoId: 't1',
    projectId: PROJECT_ID,
    content: 'Tune the snare',
    authorUid: 'bob',
    dateAdded: at(planned),
    added: 4,
    dateModified: at(planned),
    edited: null,
    versionId: 'v1',
    stamp,
    taggedRegions: ['r1'],
    taggedUsers: ['ana'],
    parentTodoId: null,
    parentOwnerUid: null,
    replyIds: [],
    completion: null,
    ...due,
    reminderSent: false,
    dueIn: PROJECT_ID,
    awaitsReminder: true,
    remindAt: reminder.at,
    initialLogin: false,
    position: 4,
  });
});

test('a reply moves only the position of its todo, and so does its removal', async () => {
  const listed = { replyIds: ['t2'], dateModified: at(planned), edited: null, position: 5 };
  expect(await after(answered)).toMatchObject(listed);
  expect(await after(answered, 't2')).toMatchObject({ parentTodoId: 't1', parentOwnerUid: 'bob', ...NOT_DUE, dueIn: null, awaitsReminder: false });
  const without = answered.withoutTodoReply('t2', { by: 'ana', from: 't1', tags: ['r1'] });
  expect(await after(without)).toMatchObject({ ...listed, replyIds: [], position: 6 });
  expect(await after(without, 't2')).toBeNull();
});

test('an edit of the text sets both times, one of the due date only dateModified', async () => {
  const to = { taggedRegions: [], stamp: null };
  const text = { content: 'Softer', taggedUsers: [], from: { taggedRegions: ['r1'], stamp }, to };
  const edited = planned.and({ type: 'TodoEdited', data: { todoId: 't1', text, due: null } }, 'bob');
  expect(await after(edited)).toMatchObject({ content: 'Softer', taggedUsers: [], ...to, ...due, edited: at(edited), dateModified: at(edited) });
  const moved = planned.withTodoDue('t1', due, NOT_DUE, { by: 'bob' });
  expect(await after(moved)).toMatchObject({ ...NOT_DUE, edited: null, dateModified: at(moved), dueIn: null, awaitsReminder: false, remindAt: null });
});

describe('a reminder that was sent', () => {
  const sent = planned.reminded('t1', reminder);

  test('is no change of the todo', async () =>
    expect(await after(sent)).toMatchObject({
      reminderSent: true,
      dateModified: at(planned),
      awaitsReminder: false,
      remindAt: null,
      dueIn: PROJECT_ID,
      position: 5,
    }));

  test('is to be sent again once it is moved', async () => {
    const later = reminder.at + 60_000;
    const to: Due = { dueDate: later, reminder: { ...reminder, at: later } };
    expect(await after(sent.withTodoDue('t1', due, to))).toMatchObject({ reminderSent: false, awaitsReminder: true, remindAt: later });
  });

  test('stays sent while its time stays', async () => {
    const to: Due = { dueDate: reminder.at + 5 * 60_000, reminder: { label: '5 minutes before', at: reminder.at } };
    expect(await after(sent.withTodoDue('t1', due, to))).toMatchObject({ ...to, reminderSent: true, awaitsReminder: false });
  });

  test('counts as sent when it was skipped', async () =>
    expect(await after(planned.and({ type: 'TodoReminderSkipped', data: { todoId: 't1', reminder } }, null))).toMatchObject({ reminderSent: true }));
});

test('a completed todo keeps its due date and is no longer among those that are due', async () => {
  const done = answered.completing('t1', { by: 'ana', version });
  expect(await after(done)).toMatchObject({
    completion: { at: at(done), byUid: 'ana', version },
    dateModified: at(done),
    edited: null,
    ...due,
    dueIn: null,
    awaitsReminder: false,
  });
});

test('a removed todo takes its replies with it', async () => {
  const gone = answered.withoutTodo('t1', { by: 'bob', replyIds: ['t2'], taggedRegions: ['r1'] });
  expect([await after(gone), await after(gone, 't2')]).toEqual([null, null]);
});

test('a removed region is untagged, without an edit', async () => {
  const gone = answered.withoutRegion('r1', { todoIds: ['t1', 't2'] });
  expect(await after(gone)).toMatchObject({ taggedRegions: [], stamp, edited: null, dateModified: at(planned), position: 6 });
  expect(await after(gone, 't2')).toMatchObject({ taggedRegions: [] });
});

test('a purged project keeps no todo', async () => {
  const purged = answered.removed().and({ type: 'ProjectPurged', data: { versionIds: [], regionIds: [], commentIds: [] } }, null);
  expect([await after(purged), await after(purged, 't2')]).toEqual([null, null]);
});
