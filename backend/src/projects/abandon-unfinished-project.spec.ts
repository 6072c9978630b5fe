import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { ReactorRunner } from '../platform/reactors/reactor-runner.js';
import { TimerRunner } from '../platform/timers/timer-runner.js';
import { Timers } from '../platform/timers/timers.js';
import { slices } from '../slices.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { anAudioFile } from '../testing/project-history.js';
import { AbandonUnfinishedProject } from './abandon-unfinished-project.timer.js';
import { type ProjectCommand, projectDecider } from './project.decider.js';
import { ProjectStreams } from './project.streams.js';
import { ScheduleAbandonmentWhenCreated } from './schedule-abandonment-when-created.reactor.js';
import { UnfinishedProjects } from './unfinished-projects.queries.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const KIND = 'abandon-unfinished-project';
const { key: _key, ...file } = anAudioFile({ filename: 'a.wav' });
let stores: TestStores;
let projections: ProjectionRunner;
let timers: Timers;
let streams: ProjectStreams;
let schedule: ScheduleAbandonmentWhenCreated;
let running: readonly { stop(): Promise<void> }[];
let made = 0;

const run = (projectId: string, command: ProjectCommand) => {
  const commandId = `made-${(made += 1)}`;
  return streams.run({ actor: { uid: 'ana' }, at: stores.time.now, commandId, correlationId: commandId, causationId: null }, projectId, command);
};
const create = (projectId: string) =>
  run(projectId, {
    type: 'CreateProject',
    data: { projectId, firstVersionId: `${projectId}-v1`, projectName: 'x', description: '', tinySummary: '', invited: [], message: '' },
  });
const addFirst = (projectId: string) =>
  run(projectId, {
    type: 'AddVersion',
    data: { projectId, versionId: `${projectId}-v1`, uploadId: 'u1', first: true, updateType: 'major', tinySummary: '', taggedUsers: [], file },
  });
const isRemoved = async (projectId: string): Promise<boolean> => (await stores.streams().state(projectDecider, projectStream(projectId))).removed;
const isTimed = async (projectId: string): Promise<boolean> => (await timers.get(KIND, projectId)) !== null;
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
/** Runs the reactors and timers, as the reactor process does. */
async function react(): Promise<void> {
  const reactors = new ReactorRunner(stores);
  const clock = () => stores.time.now;
  const firing = new TimerRunner({ timers, vault: stores.vault, clock, log: stores.log, lookMs: 1 });
  running = [reactors, firing];
  await reactors.start([schedule]);
  await firing.start([new AbandonUnfinishedProject(streams, clock)]);
}

beforeEach(async () => {
  stores = await openTestStores();
  projections = stores.projections();
  await projections.start(slices.projectors);
  timers = await Timers.open(stores.vault);
  const { readSide } = projections.deps;
  streams = new ProjectStreams(stores.streams(), readSide);
  schedule = new ScheduleAbandonmentWhenCreated(timers, new UnfinishedProjects(stores.reads), readSide, stores.store, () => stores.time.now);
  running = [];
});
afterEach(async () => {
  for (const each of running) await each.stop();
  await projections.stop();
  await stores.close();
});

test('a project without a version is abandoned after a day, one with a version or a removed one never', async () => {
  await react();
  for (const projectId of ['empty', 'full', 'removed']) await create(projectId);
  await until(() => isTimed('removed'));
  await addFirst('full');
  await run('removed', { type: 'RemoveProject', data: {} });
  await until(async () => !(await isTimed('full')) && !(await isTimed('removed')));
  const end = await stores.store.head();
  stores.time.now += DAY_MS - 1;
  await timers.set({ kind: KIND, key: 'unknown', at: 0 });
  await until(async () => !(await isTimed('unknown')));
  expect(await stores.store.head()).toBe(end);
  stores.time.now += 1;
  await until(async () => !(await isTimed('empty')));
  expect(await stores.store.readAll({ after: end })).toMatchObject([
    { stream: projectStream('empty'), type: 'ProjectRemoved', meta: { actorUid: null, commandId: `${KIND}-empty-${stores.time.now}` } },
  ]);
  expect([await isRemoved('empty'), await isRemoved('full')]).toEqual([true, false]);
});

test('a project without a timer from an earlier release gets one with at least an hour left, and a timer that fires twice acts once', async () => {
  const createdAt = stores.time.now;
  await create('empty');
  await create('full');
  await addFirst('full');
  stores.time.now += 2 * DAY_MS;
  await schedule.setMissing();
  expect(await Promise.all(['empty', 'full'].map(isTimed))).toEqual([true, false]);
  expect(await timers.get(KIND, 'empty')).toMatchObject({ at: stores.time.now + HOUR_MS });
  stores.time.now += HOUR_MS;
  await schedule.setMissing();
  await react();
  await until(async () => !(await isTimed('empty')));
  const end = await stores.store.head();
  await timers.set({ kind: KIND, key: 'empty', at: createdAt + DAY_MS });
  await until(async () => !(await isTimed('empty')));
  expect([await isRemoved('empty'), await stores.store.head()]).toEqual([true, end]);
});
