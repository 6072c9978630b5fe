import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import type { TodoRemindersAnswer, TodosAnswer, TodosCompletedAnswer, TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, type CreatedProject, todo } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';
import type { ReceivedMessage } from '../testing/test-socket.js';
import { TestSockets } from '../testing/test-sockets.js';

const MINUTE = 60_000;
const listening = new TestSockets();
let now = Date.now();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let created: CreatedProject;
let second: CreatedProject;
let foreign: CreatedProject;

beforeAll(async () => {
  app = await startApp({}, { clock: () => now });
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  created = await aProjectWith(ana, { projectName: 'Low tide', viewers: [`${bob.uid}-0`], isPublic: true });
  second = await aProjectWith(bob, { projectName: 'High tide' });
  foreign = await aProjectWith(uma, { projectName: 'Ebb', isPublic: true });
});
afterAll(() => listening.stop(app));

const due = (who: Person, body: object = {}): Promise<Answer<TodoRemindersAnswer>> => who.post(TODO_PATHS.reminders, body);
const shown = async (who: Person, id: string): Promise<TodoView | undefined> => bodyOf(await who.get<TodosAnswer>(TODO_PATHS.active([id]))).todos[id];

describe('the list of what is due', () => {
  test('has the active todos of all projects of the caller, by due date', async () => {
    const [late, early, same] = [
      await todo(ana, created.projectId, { dueDate: now + 9 * MINUTE }),
      await todo(ana, created.projectId, { dueDate: now + 7 * MINUTE, reminder: { '5 minutes before': 0 } }),
      await todo(bob, second.projectId, { dueDate: now + 9 * MINUTE }),
    ];
    const done = await todo(ana, created.projectId, { dueDate: now + 8 * MINUTE });
    bodyOf(await ana.put<TodosCompletedAnswer>(TODO_PATHS.complete([done._id]), {}));
    await todo(ana, created.projectId);
    await todo(uma, foreign.projectId, { dueDate: now + 8 * MINUTE });
    const answer = bodyOf(await due(bob, { uid: bob.uid, projectNames: ['x'] }));
    const [one, two] = [late, same].toSorted((a, b) => (a._id < b._id ? -1 : 1));
    expect(answer.reminders.map(({ todoId }) => todoId)).toEqual([early._id, one?._id, two?._id]);
    expect(answer.reminders[0]).toEqual({
      todoId: early._id,
      projectId: created.projectId,
      projectName: 'Low tide',
      dueDate: early.dueDate,
      at: (early.dueDate ?? 0) - 5 * MINUTE,
      label: '5 minutes before',
      reminderSent: false,
    });
    expect(answer.reminders.find(({ todoId }) => todoId === same._id)).toMatchObject({ projectName: 'High tide', at: -1, label: 'None' });
    expect(Object.keys(answer.reminderTodos)).toEqual(answer.reminders.map(({ todoId }) => todoId));
    expect(answer.reminderTodos[early._id]).toEqual(early);
    expect(bodyOf(await due(bob, { todoIds: [same._id, done._id, 'nothing', late._id] })).reminders.map(({ todoId }) => todoId)).toEqual([one?._id, two?._id]);
    expect(bodyOf(await due(bob, { todoIds: [] }))).toEqual({ reminders: [], reminderTodos: {} });
    expect(bodyOf(await due(uma)).reminders.map(({ projectId }) => projectId)).toEqual([foreign.projectId]);
  });

  test('is refused to the guest, for over 100 ids and unknown fields', async () => {
    expectRefused(await due(await app.guest()), 'guest.read-only');
    expectRefused(await due(bob, { todoIds: Array.from({ length: 101 }, (_, at) => `t${at}`) }), 'ids.too-many', { limit: 100, field: 'todoIds' });
    for (const todoIds of [[1], [''], null]) expect(statusAndCode(await due(bob, { todoIds }))).toBe('400 request.invalid');
    expectRefused(await due(bob, { colour: 'red' }), 'request.unknown-field', { field: 'colour' });
  });
});

test('a reminder that fires is pushed without an actor, and moves neither the todo nor the project', async () => {
  const set = await todo(ana, created.projectId, { dueDate: now + 40 * MINUTE, reminder: { '30 minutes before': 0 } });
  await app.reactorsIdle();
  const sockets = [await listening.socket(bob, created.projectId), await listening.socket(uma, created.projectId)];
  const before = bodyOf(await ana.get<{ projects: readonly ProjectView[] }>(`/api/projects/${ana.uid}`)).projects[0];
  now += 10 * MINUTE;
  for (const socket of sockets) {
    const isAboutIt = ({ channel, body }: ReceivedMessage) => channel === 'todos' && (body.view as TodoView | undefined)?._id === set._id;
    await socket.until(isAboutIt);
    const [push] = socket.received.filter(isAboutIt);
    expect(keysOf(push?.body)).toEqual(['actorUid', 'commandId', 'position', 'projectId', 'type', 'view']);
    expect(push?.body).toMatchObject({ type: 'TodoEdited', projectId: created.projectId, actorUid: null });
    expect(push?.body.view).toEqual({ ...set, reminderSent: true, position: push?.body.position });
  }
  const after = bodyOf(await ana.get<{ projects: readonly ProjectView[] }>(`/api/projects/${ana.uid}`)).projects[0];
  expect([after?._id, after?.dateModified]).toEqual([before?._id, before?.dateModified]);
  expect(bodyOf(await due(bob, { todoIds: [set._id] })).reminders).toMatchObject([{ todoId: set._id, reminderSent: true }]);
});

test('a reminder that came due while the server was stopped fires at the start', async () => {
  const set = await todo(ana, created.projectId, { dueDate: now + 40 * MINUTE, reminder: { 'When Todo is due': 0 } });
  await app.reactorsIdle();
  await app.restart(() => {
    now += 50 * MINUTE;
    return Promise.resolve();
  });
  const again = app.again(ana);
  while (!(await shown(again, set._id))?.reminderSent) await new Promise((resolve) => setImmediate(resolve));
  expect(await shown(again, set._id)).toMatchObject({ reminderSent: true, dateModified: set.dateModified });
});
