// Promise: each timer takes effect once, and none is early or lost
// Breaks: kill -9 around the times at which timers are due
// Gate: backend/src/platform/timers/timer-runner.spec.ts "fires once, not before its instant"
// Gate: backend/src/platform/timers/timer-runner.spec.ts "that came due while no process ran fires at the start, the oldest first"
// Gate: backend/src/platform/timers/timer-runner.spec.ts "whose handler was interrupted by the end of its process fires again in the next one"
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readLog } from './lib/log-fold.mjs';
import { startProgram } from './lib/program.mjs';
import { loading } from './lib/read-models.mjs';
import { between } from './lib/seeded.mjs';
import { addVersion, aProject, pageOf, person, reactorsDone, until } from './lib/studio.mjs';

const DAY_MS = 24 * 60 * 60_000;
/** Approximate startup time: the clock starts at most this long before a timer is due. */
const START_MS = 3_000;
/** Timers missed while the program was down must fire within this time after startup. */
const MISSED_MS = 60_000;

/** Starts the program with its clock at `now`. The trash and projects without a version are kept for a day. */
const start = (folder, now = Date.now()) =>
  startProgram({ folder, nodeArgs: loading('clock-ahead.mjs'), env: { TRASH_DAYS: '1', CLOCK_AHEAD_MS: String(now - Date.now()) } });

async function begin(owner) {
  const { newProject } = await owner.must('POST', '/api/projects/newProject', { submission: { projectName: 'Never begun' } });
  return newProject._id;
}

/** Adds a version and removes it. @returns its folder */
async function removedVersion(owner, projectId) {
  await addVersion(owner, projectId);
  const { versions } = await pageOf(owner, projectId);
  const { _id } = versions.find((each) => each.versionNumber !== '1.0') ?? versions.at(-1);
  await reactorsDone(owner);
  await owner.must('POST', `/api/media/${_id}`, { projectId });
  return `${owner.uid}/ProjectMediaFiles/${projectId}/${_id}`;
}

/** A todo that is due in a day, with a reminder, and a completed one. */
async function todosDue(owner, projectId) {
  const due = { dueDate: Date.now() + DAY_MS, reminder: { 'When Todo is due': 0 } };
  const [one, done] = [await addTodo(owner, projectId, due), await addTodo(owner, projectId, due)];
  await owner.must('PUT', `/api/todos/markComplete/${done._id}`, { projectId });
  return one._id;
}

async function addTodo(owner, projectId, due) {
  const { newTodo } = await owner.must('POST', '/api/todos', { projectId, submission: { content: 'Listen', ...due } });
  return newTodo;
}

/** When an event's timer is due, if it sets one. */
function dueAfter({ type, meta, data }) {
  if (type === 'ProjectCreated' || type === 'VersionRemoved') return meta.at + DAY_MS;
  return type === 'TodoAdded' ? (data.due.reminder?.at ?? null) : null;
}

/** The due times, in order. */
const dueIn = (folder) => readLog(folder).flatMap((event) => dueAfter(event) ?? []);

const reminders = (folder) => readLog(folder).filter(({ type }) => type === 'TodoReminderFired');
const abandonments = (folder) => readLog(folder).filter(({ type, data }) => type === 'ProjectRemoved' && data.abandoned === true);
/** Whether a folder of the store contains a file. */
const hasFiles = (folder) => (prefix) => {
  const path = join(folder, 'blobs', prefix);
  return existsSync(path) && readdirSync(path, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
};

/** Exactly the projects without a version must be abandoned, once each, a day after their creation. */
function compare(folder, unfinished, { wrong, count }) {
  const created = new Map(
    readLog(folder)
      .filter(({ type }) => type === 'ProjectCreated')
      .map(({ stream, meta }) => [stream, meta.at]),
  );
  const found = abandonments(folder);
  for (const id of unfinished) {
    const removed = found.filter(({ stream }) => stream === `project-${id}`);
    if (removed.length !== 1) wrong(`${id} was abandoned ${removed.length} times`);
    for (const { meta } of removed) if (meta.at < created.get(`project-${id}`) + DAY_MS) wrong(`${id} was abandoned before its day was over`);
  }
  for (const { stream } of found) if (!unfinished.includes(stream.slice('project-'.length))) wrong(`${stream} has a version and was abandoned`);
  count('timers compared', unfinished.length);
}

/** Every reminder must have fired once, not before it was due, and none of a completed todo. */
function compareReminders(folder, todoIds, { wrong, count }) {
  const fired = reminders(folder);
  for (const id of todoIds) {
    const times = fired.filter(({ data }) => data.todoId === id).length;
    if (times !== 1) wrong(`the reminder of ${id} fired ${times} times`);
  }
  for (const { data, meta } of fired) {
    if (!todoIds.includes(data.todoId)) wrong(`the reminder of the completed todo ${data.todoId} fired`);
    if (meta.at < data.reminder.at) wrong(`the reminder of ${data.todoId} fired ${data.reminder.at - meta.at} ms early`);
  }
  count('reminders compared', todoIds.length);
}

export const fault = {
  name: 'timers',
  async run({ random, short, folder, print, wrong, count }) {
    let program = await start(folder);
    const owner = await person(program.url, 'Ona');
    const { projectId } = await aProject(owner);
    const unfinished = [await begin(owner)];
    const trashed = [];
    const todoIds = [];
    for (let made = 0; made < (short ? 2 : 8); made += 1) {
      trashed.push(await removedVersion(owner, projectId));
      unfinished.push(await begin(owner), await begin(owner));
      todoIds.push(await todosDue(owner, projectId));
    }
    // A timer that is set after its project's day is over leaves the project an hour.
    await reactorsDone(owner);
    await program.kill();
    if (abandonments(folder).length > 0 || reminders(folder).length > 0 || !trashed.every(hasFiles(folder))) wrong('a timer fired before its day was over');
    const dues = dueIn(folder);
    const rounds = short ? 4 : 30;
    for (let round = 0; round < rounds; round += 1) {
      program = await start(folder, dues[Math.floor((round * dues.length) / rounds)] - between(random, 0, START_MS));
      await pause(between(random, 0, 600));
      await program.kill();
      count('kills');
    }
    print(`${abandonments(folder).length} of ${unfinished.length} projects were abandoned between the kills`);
    program = await start(folder, Math.max(...dues));
    const isFired = () => abandonments(folder).length >= unfinished.length && reminders(folder).length >= todoIds.length;
    const isDone = () => isFired() && !trashed.some(hasFiles(folder));
    await until('every timer has fired', isDone, MISSED_MS).catch(({ message }) => wrong(message));
    await program.stop();
    compare(folder, unfinished, { wrong, count });
    compareReminders(folder, todoIds, { wrong, count });
  },
};
