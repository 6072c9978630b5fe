import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../platform/config/config.js';
import { type Ground, openGround } from '../testing/ground.js';
import { Trash } from './trash.js';

const DAY_MS = 24 * 60 * 60_000;
const FILES = ['ana/ProjectMediaFiles/p1/v1/1_0-a.wav', 'ana/ProjectMediaFiles/p1/v1/peaks-u1/0', 'ana/ProjectMediaFiles/p1/v10/2_0-a.wav'];
const [, , NEIGHBOUR = ''] = FILES;
let ground: Ground;

const trashOf = (days: string): Trash => new Trash(ground.vault, ground.blobs, readConfig({ TRASH_DAYS: days }), () => ground.time.now);

const empty = async (trash: Trash): Promise<void> => {
  for (const folder of await trash.due()) await trash.remove(folder);
};

beforeEach(async () => {
  ground = await openGround();
  for (const key of FILES) await ground.blobs.write(key, Buffer.from('x'));
  await trashOf('30').declare();
});
afterEach(() => ground.close());

test('what lies in the trash goes once its days have passed since it was removed, and nothing beside it', async () => {
  const trash = trashOf('30');
  const removedAt = ground.time.now - DAY_MS;
  await trash.put('ana/ProjectMediaFiles/p1/v1', removedAt, 1);
  ground.time.now = removedAt + 30 * DAY_MS - 1;
  await empty(trash);
  expect(await ground.blobs.list('')).toEqual(FILES);
  ground.time.now += 1;
  await empty(trash);
  expect(await ground.blobs.list('')).toEqual([NEIGHBOUR]);
});

test('once emptied it forgets the folder: what is written there later stays', async () => {
  const trash = trashOf('1');
  await trash.put('ana/ProjectMediaFiles/p1/v1', ground.time.now, 1);
  ground.time.now += DAY_MS;
  await empty(trash);
  for (const key of FILES) await ground.blobs.write(key, Buffer.from('x'));
  ground.time.now += DAY_MS;
  await empty(trash);
  expect(await ground.blobs.list('')).toEqual(FILES);
});

test('with no days to wait it goes at once', async () => {
  await trashOf('0').put('ana/ProjectMediaFiles/p1/v1', ground.time.now, 1);
  expect(await ground.blobs.list('')).toEqual([NEIGHBOUR]);
});
