import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { foldedBy } from '../testing/projected-documents.js';
import { aProject, type ProjectHistory } from '../testing/project-history.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { bytesUsed, dayOf, NO_USAGE } from './usage.documents.js';
import { usageProjector } from './usage.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const usageOf = async (history: ProjectHistory, uid: string): Promise<unknown> => (await foldedBy(stores, usageProjector, history.events))[`usage/${uid}`];
/** Each version has 1,000 bytes, each image 70. */
const song = aProject().ownedBy('ana').sharedWith('carl', { write: true }).withVersion('v1', { by: 'carl' }).withVersion('v2');
const DAY = dayOf(1_700_000_000_000);

test('files count for who uploaded them, the project for its owner', async () => {
  const said = song.withComment('c1', { by: 'carl', kind: 'image', content: 'a.png' }).withImage('c1', { by: 'carl' });
  expect(await usageOf(said, 'ana')).toEqual({ bytes: 1_000, trashed: {}, projects: 1 });
  expect(await usageOf(said, 'carl')).toEqual({ bytes: 1_070, trashed: {}, projects: 0 });
});

test('the copy of a version counts with its file, in the trash and when it is deleted too', async () => {
  const copied = song.copied('v1');
  expect(await usageOf(copied, 'carl')).toEqual({ bytes: 1_500, trashed: {}, projects: 0 });
  expect(await usageOf(copied.withoutVersion('v1'), 'carl')).toEqual({ bytes: 0, trashed: { [DAY]: 1_500 }, projects: 0 });
  expect(await usageOf(copied.rejected('v1'), 'carl')).toEqual({ bytes: 0, trashed: {}, projects: 0 });
});

test('the file of a rejected version is deleted, and one that replaces it counts', async () => {
  expect(await usageOf(song.rejected('v1'), 'carl')).toEqual({ bytes: 0, trashed: {}, projects: 0 });
});

test('removed files go to the trash on their day, those of a removed project as well', async () => {
  const less = song.withoutVersion('v2');
  expect(await usageOf(less, 'ana')).toEqual({ bytes: 0, trashed: { [DAY]: 1_000 }, projects: 1 });
  expect(await usageOf(less.removed(), 'ana')).toEqual({ bytes: 0, trashed: { [DAY]: 1_000 }, projects: 0 });
  expect(await usageOf(less.removed(), 'carl')).toEqual({ bytes: 0, trashed: { [DAY]: 1_000 }, projects: 0 });
});

test('a purge deletes files at once, in the trash too', async () => {
  const purged = song
    .withoutVersion('v2')
    .removed()
    .and({ type: 'ProjectPurged', data: { versionIds: ['v1', 'v2'], regionIds: [], commentIds: [] } }, null);
  expect([await usageOf(purged, 'ana'), await usageOf(purged, 'carl')]).toEqual([NO_USAGE, NO_USAGE]);
});

test('a project that is taken over counts for its new owner; its files stay those of who uploaded them', async () => {
  const taken = song.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'carl' } }, 'carl');
  expect(await usageOf(taken, 'ana')).toEqual({ bytes: 1_000, trashed: {}, projects: 0 });
  expect(await usageOf(taken, 'carl')).toEqual({ bytes: 1_000, trashed: {}, projects: 1 });
});

describe('bytes in the trash', () => {
  const at = 1_700_000_000_000;
  const days = (count: number) => at + count * 24 * 60 * 60_000;
  const usage = { bytes: 10, trashed: { [dayOf(at)]: 5 }, projects: 0 };

  test.each([
    ['on the day', 0, 30, 15],
    ['until their time is over', 30, 30, 15],
    ['not after it', 31, 30, 10],
    ['not without a trash', 0, 0, 10],
  ])('count %s', (_when, after, trashDays, expected) => {
    expect(bytesUsed(usage, days(after), trashDays)).toBe(expected);
  });
});
