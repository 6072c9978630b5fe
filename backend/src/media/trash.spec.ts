import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../platform/config/config.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { TimerRunner } from '../platform/timers/timer-runner.js';
import { Timers } from '../platform/timers/timers.js';
import { DeleteTrashedFiles } from './delete-trashed-files.timer.js';
import { Trash, TRASH_TIMERS } from './trash.js';

const DAY_MS = 24 * 60 * 60_000;
const FILES = ['ana/ProjectMediaFiles/p1/v1/1_0-a.wav', 'ana/ProjectMediaFiles/p1/v1/peaks-u1/0', 'ana/ProjectMediaFiles/p1/v10/2_0-a.wav'];
const [, , NEIGHBOUR = ''] = FILES;
let stores: TestStores;
let timers: Timers;
let runner: TimerRunner | undefined;

const trashOf = (days: string): Trash => new Trash(stores.vault, stores.blobs, readConfig({ TRASH_DAYS: days }), timers);
/** Fires the timers of the trash, as the reactor process does. */
const fireTimers = async (trash: Trash): Promise<void> => {
  runner = new TimerRunner({ timers, vault: stores.vault, clock: () => stores.time.now, log: stores.log, lookMs: 1 });
  await runner.start([new DeleteTrashedFiles(trash)]);
};
const files = (): Promise<readonly string[]> => stores.blobs.list('');
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};

const empty = async (trash: Trash): Promise<void> => {
  for (const folder of await trash.due(stores.time.now)) await trash.remove(folder);
};

beforeEach(async () => {
  stores = await openTestStores();
  timers = await Timers.open(stores.vault);
  runner = undefined;
  for (const key of FILES) await stores.blobs.write(key, Buffer.from('x'));
  await trashOf('30').declare();
});
afterEach(async () => {
  await runner?.stop();
  await stores.close();
});

test('trashed files are deleted TRASH_DAYS after their removal, and no other files', async () => {
  const trash = trashOf('30');
  const removedAt = stores.time.now - DAY_MS;
  await trash.put('ana/ProjectMediaFiles/p1/v1', removedAt, 1);
  stores.time.now = removedAt + 30 * DAY_MS - 1;
  await empty(trash);
  expect(await stores.blobs.list('')).toEqual(FILES);
  stores.time.now += 1;
  await empty(trash);
  expect(await stores.blobs.list('')).toEqual([NEIGHBOUR]);
});

test('an emptied folder is forgotten: files written there later stay', async () => {
  const trash = trashOf('1');
  await trash.put('ana/ProjectMediaFiles/p1/v1', stores.time.now, 1);
  stores.time.now += DAY_MS;
  await empty(trash);
  for (const key of FILES) await stores.blobs.write(key, Buffer.from('x'));
  stores.time.now += DAY_MS;
  await empty(trash);
  expect(await stores.blobs.list('')).toEqual(FILES);
});

test('with TRASH_DAYS at 0, files are deleted at once', async () => {
  await trashOf('0').put('ana/ProjectMediaFiles/p1/v1', stores.time.now, 1);
  expect(await stores.blobs.list('')).toEqual([NEIGHBOUR]);
});

test('the timer deletes a folder when it is due, not before', async () => {
  const trash = trashOf('30');
  await trash.put('ana/ProjectMediaFiles/p1/v1', stores.time.now, 1);
  await fireTimers(trash);
  stores.time.now += 30 * DAY_MS - 1;
  await timers.set({ kind: TRASH_TIMERS, key: 'nothing-trashed', at: stores.time.now });
  await until(async () => (await timers.get(TRASH_TIMERS, 'nothing-trashed')) === null);
  expect(await files()).toEqual(FILES);
  stores.time.now += 1;
  await until(async () => !(await trash.holds(FILES[0] ?? '')));
  expect(await files()).toEqual([NEIGHBOUR]);
});

test('a folder that an earlier release trashed without a timer gets one', async () => {
  const trash = trashOf('30');
  await stores.vault.put('trash', 'of-before', { prefix: 'ana/ProjectMediaFiles/p1/v1', deleteAt: stores.time.now + DAY_MS, position: 1 });
  await trash.setMissing();
  expect(await timers.get(TRASH_TIMERS, 'of-before')).toEqual({ kind: TRASH_TIMERS, key: 'of-before', at: stores.time.now + DAY_MS, position: 1 });
  await fireTimers(trash);
  stores.time.now += DAY_MS;
  await until(async () => (await files()).length === 1);
  expect(await files()).toEqual([NEIGHBOUR]);
});

test('a folder trashed again waits for its new date, even if the old timer fires', async () => {
  const trash = trashOf('30');
  await trash.put('ana/ProjectMediaFiles/p1/v1', stores.time.now, 1);
  const id = (await stores.vault.find('trash', {}))[0]?.id ?? '';
  await trash.put('ana/ProjectMediaFiles/p1/v1', stores.time.now + DAY_MS, 2);
  await trash.removeIfDue(id, stores.time.now + 30 * DAY_MS);
  expect(await files()).toEqual(FILES);
  await trash.removeIfDue(id, stores.time.now + 31 * DAY_MS);
  expect(await files()).toEqual([NEIGHBOUR]);
});
