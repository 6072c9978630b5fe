import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { DueChange } from '@roughmix/contracts/todos/todo.due.js';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { ReactorRunner } from '../platform/reactors/reactor-runner.js';
import { TimerRunner } from '../platform/timers/timer-runner.js';
import { Timers } from '../platform/timers/timers.js';
import { RESTORES } from '../platform/vault/last-restore.js';
import type { ProjectCommand } from '../projects/project.decider.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { slices } from '../slices.js';
import { anAudioFile } from '../testing/project-history.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { PendingReminders } from './pending-reminders.queries.js';
import { REMINDER_TIMERS, RemindOfTodo } from './remind-of-todo.timer.js';
import { ScheduleReminderWhenSet } from './schedule-reminder-when-set.reactor.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PROJECT = 'p1';
const { key: _key, ...file } = anAudioFile({ filename: 'a.wav' });
const text = { content: 'Tune the snare', taggedUsers: [] };
let stores: TestStores;
let projections: ProjectionRunner;
let timers: Timers;
let streams: ProjectStreams;
let running: { stop(): Promise<void> }[];
let sent = 0;

const run = (command: ProjectCommand) => {
  const commandId = `sent-${(sent += 1)}`;
  return streams.run({ actor: { uid: 'ana' }, at: stores.time.now, commandId, correlationId: commandId, causationId: null }, PROJECT, command);
};
const add = (todoId: Id, due: DueChange) => run({ type: 'AddTodo', data: { todoId, ...text, versionId: null, marks: {}, due, at: stores.time.now } });
const edit = (todoId: Id, due: DueChange) => run({ type: 'EditTodo', data: { todoId, due, at: stores.time.now } });
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
/** The reminders in the log: their todos and how long after the start they were due. */
async function logged(start: number): Promise<readonly string[]> {
  const events = await stores.opened.open(await stores.store.readAll({ after: 0, limit: 1_000 }));
  return events.flatMap(({ type, data }) => {
    if (!type.startsWith('TodoReminder')) return [];
    const { todoId, reminder } = data as { readonly todoId: Id; readonly reminder: { readonly at: number } };
    return `${type} ${todoId} +${(reminder.at - start) / MINUTE}`;
  });
}
const timersLeft = async (): Promise<readonly string[]> => (await timers.upcoming(REMINDER_TIMERS, 100)).map(({ body }) => body.key);
const noneIsDue = async (): Promise<boolean> => (await timers.upcoming(REMINDER_TIMERS, 1)).every(({ body }) => body.at > stores.time.now);

/** What sets and fires reminders in one process: its own streams and read side, the shared stores. */
function background() {
  const { readSide } = projections.deps;
  const remind = new RemindOfTodo(new ProjectStreams(stores.streams(), readSide), () => stores.time.now);
  const schedule = new ScheduleReminderWhenSet(timers, remind, new PendingReminders(stores.reads), readSide, stores.store, stores.vault);
  const firing = new TimerRunner({ timers, vault: stores.vault, clock: () => stores.time.now, log: stores.log, lookMs: 1 });
  return { remind, schedule, firing };
}
async function react(): Promise<ReactorRunner> {
  const { remind, schedule, firing } = background();
  const reactors = new ReactorRunner(stores);
  running.push(reactors, firing);
  await reactors.start([schedule]);
  await firing.start([remind]);
  return reactors;
}
/** Waits until exactly these timers are set, by due time. */
const scheduled = (keys: readonly string[]) => until(async () => (await timersLeft()).join() === keys.join());
const stopAll = async (): Promise<void> => {
  for (const each of running.splice(0)) await each.stop();
};

beforeEach(async () => {
  stores = await openTestStores();
  projections = stores.projections();
  await projections.start(slices.projectors);
  timers = await Timers.open(stores.vault);
  streams = new ProjectStreams(stores.streams(), projections.deps.readSide);
  running = [];
  await run({
    type: 'CreateProject',
    data: { projectId: PROJECT, firstVersionId: 'v1', projectName: 'x', description: '', tinySummary: '', invited: [], message: '' },
  });
  await run({
    type: 'AddVersion',
    data: { projectId: PROJECT, versionId: 'v1', uploadId: 'u1', first: true, updateType: 'major', tinySummary: '', taggedUsers: [], file },
  });
});
afterEach(async () => {
  await stopAll();
  await projections.stop();
  await stores.close();
});

describe('a reminder', () => {
  test('fires once, when it is due and not before', async () => {
    const start = stores.time.now;
    await react();
    await add('t1', { dueDate: start + HOUR, reminder: '15 minutes before' });
    await scheduled([`t1-${start + 45 * MINUTE}`]);
    stores.time.now = start + 45 * MINUTE - 1;
    await timers.set({ kind: REMINDER_TIMERS, key: 'unknown', at: start, data: { projectId: PROJECT, todoId: 'unknown' } });
    await scheduled([`t1-${start + 45 * MINUTE}`]);
    expect(await logged(start)).toEqual([]);
    stores.time.now += 1;
    await scheduled([]);
    expect(await logged(start)).toEqual(['TodoReminderFired t1 +45']);
    await timers.set({ kind: REMINDER_TIMERS, key: `t1-${start + 45 * MINUTE}`, at: start + 45 * MINUTE, data: { projectId: PROJECT, todoId: 't1' } });
    await scheduled([]);
    expect(await logged(start)).toEqual(['TodoReminderFired t1 +45']);
  });

  test('that is moved fires at its new time only, also after it was sent', async () => {
    const start = stores.time.now;
    await react();
    await add('t1', { dueDate: start + HOUR, reminder: 'When Todo is due' });
    await edit('t1', { dueDate: start + 2 * HOUR });
    await scheduled([`t1-${start + 2 * HOUR}`]);
    stores.time.now = start + 2 * HOUR;
    await scheduled([]);
    await edit('t1', { dueDate: start + 3 * HOUR });
    await scheduled([`t1-${start + 3 * HOUR}`]);
    stores.time.now = start + 3 * HOUR;
    await scheduled([]);
    expect(await logged(start)).toEqual(['TodoReminderFired t1 +120', 'TodoReminderFired t1 +180']);
  });

  test.each<[string, ProjectCommand]>([
    ['removed', { type: 'EditTodo', data: { todoId: 't1', due: { reminder: 'None' }, at: 0 } }],
    ['of a completed todo', { type: 'CompleteTodos', data: { todoIds: ['t1'], versionId: null } }],
    ['of a removed todo', { type: 'RemoveTodo', data: { todoId: 't1' } }],
    ['of a removed project', { type: 'RemoveProject', data: {} }],
  ])('%s does not fire', async (_what, command) => {
    const start = stores.time.now;
    await react();
    for (const todoId of ['t1', 't2']) await add(todoId, { dueDate: start + HOUR, reminder: 'When Todo is due' });
    await until(async () => (await timersLeft()).length === 2);
    await run(command);
    stores.time.now = start + HOUR;
    await scheduled([]);
    expect(await logged(start)).toEqual(command.type === 'RemoveProject' ? [] : ['TodoReminderFired t2 +60']);
  });

  test('missed while nothing was running fires at the start, however old it is', async () => {
    const start = stores.time.now;
    await react();
    await add('t1', { dueDate: start + HOUR, reminder: 'When Todo is due' });
    await scheduled([`t1-${start + HOUR}`]);
    await stopAll();
    stores.time.now += 400 * 24 * HOUR;
    await react();
    await scheduled([]);
    expect(await logged(start)).toEqual(['TodoReminderFired t1 +60']);
  });

  test('fires once, however many processes fire it at the same time', async () => {
    const start = stores.time.now;
    await react();
    for (const todoId of ['t1', 't2', 't3']) await add(todoId, { dueDate: start + HOUR, reminder: 'When Todo is due' });
    await until(async () => (await timersLeft()).length === 3);
    await stopAll();
    stores.time.now = start + HOUR;
    const processes = Array.from({ length: 3 }, background);
    running.push(...processes.map(({ firing }) => firing));
    await Promise.all(processes.map(({ firing, remind }) => firing.start([remind])));
    await until(noneIsDue);
    expect((await logged(start)).toSorted()).toEqual(['t1', 't2', 't3'].map((todoId) => `TodoReminderFired ${todoId} +60`));
  });
});

test('after a restore, reminders due before it count as sent, and lost timers are set again', async () => {
  const start = stores.time.now;
  await add('early', { dueDate: start + HOUR, reminder: 'When Todo is due' });
  await add('late', { dueDate: start + 3 * HOUR, reminder: 'When Todo is due' });
  await timers.set({ kind: REMINDER_TIMERS, key: `early-${start + HOUR}`, at: start + HOUR, data: { projectId: PROJECT, todoId: 'early' } });
  stores.time.now = start + 2 * HOUR;
  await stores.vault.declare({ name: RESTORES.name });
  await stores.vault.put(RESTORES.name, RESTORES.id, { at: stores.time.now });
  await react();
  const { schedule } = background();
  await schedule.afterRestore();
  await schedule.afterRestore();
  await scheduled([`late-${start + 3 * HOUR}`]);
  expect(await logged(start)).toEqual(['TodoReminderSkipped early +60']);
  stores.time.now = start + 3 * HOUR;
  await scheduled([]);
  expect(await logged(start)).toEqual(['TodoReminderSkipped early +60', 'TodoReminderFired late +180']);
});
