import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projector } from '../../kernel/projector.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { endlessTerm } from '../leases/lease.js';
import { Generations, physicalName } from './projection-generations.js';

let testStores: TestStores;
const notes = projector({ name: 'notes', version: 3, collections: [{ name: 'notes', indexes: [] }] }, {});

beforeEach(async () => {
  testStores = await openTestStores();
});
afterEach(() => testStores.close());

test('dropped documents that a late save recreated are dropped again; served ones, those being built and those of other projectors stay', async () => {
  const generations = await Generations.open(testStores.documents, endlessTerm());
  for (let number = 1; number <= 3; number += 1) {
    await generations.serve(await generations.begin(notes));
    await generations.dropDiscarded('notes');
  }
  await generations.begin(notes);
  for (const name of [physicalName('notes', 3, 1), physicalName('notes', 2, 2), physicalName('notes', 3, 9), physicalName('others', 3, 1), 'notes']) {
    await testStores.documents.declare({ name, indexes: [] });
  }
  await generations.dropOrphans(notes);
  expect(await testStores.documents.collections()).toEqual(['notes', 'notes_v3_g3', 'notes_v3_g4', 'notes_v3_g9', 'others_v3_g1']);
});

test('only the given replaced generations are dropped', async () => {
  const generations = await Generations.open(testStores.documents, endlessTerm());
  for (let number = 1; number <= 3; number += 1) await generations.serve(await generations.begin(notes));
  await generations.dropDiscarded('notes', [1]);
  expect(await testStores.documents.collections()).toEqual(['notes_v3_g2', 'notes_v3_g3']);
  expect(generations.of('notes').discarded.map(({ number }) => number)).toEqual([2]);
});

test('an interrupted first load, once resumed and served, leaves every document in the indexes', async () => {
  const indexed = projector({ name: 'words', version: 1, collections: [{ name: 'words', indexes: [{ field: 'projectId' }] }] }, {});
  const name = physicalName('words', 1, 1);
  const found = async () => (await testStores.documents.find(name, { where: { field: 'projectId', value: 'p' } })).map(({ _id }) => _id);
  const write = (id: string, position: number) => ({ collection: name, id, position, body: { _id: id, projectId: 'p' } });
  const begun = await (await Generations.open(testStores.documents, endlessTerm())).begin(indexed, { isLoading: true });
  await testStores.documents.save({ projector: begun.key, checkpoint: 1, writes: [write('a', 1)] });

  const generations = await Generations.open(testStores.documents, endlessTerm());
  const { building } = generations.of('words');
  if (building === null) throw new Error('nothing is being built');
  const resumed = await generations.resume(indexed, building, { isLoading: true });
  expect(resumed.checkpoint).toBe(1);
  await testStores.documents.save({ projector: resumed.key, checkpoint: 2, writes: [write('b', 2)] });
  await generations.serve(resumed);
  await testStores.documents.save({ projector: resumed.key, checkpoint: 3, writes: [write('c', 3)] });
  expect(await found()).toEqual(['a', 'b', 'c']);
});
