import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projector } from '../../kernel/projector.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { endlessTerm } from '../leases/lease.js';
import { Generations, physicalName } from './projection-generations.js';

let ground: TestStores;
const notes = projector({ name: 'notes', version: 3, collections: [{ name: 'notes', indexes: [] }] }, {});

beforeEach(async () => {
  ground = await openTestStores();
});
afterEach(() => ground.close());

test('what a late save made anew of dropped documents goes; what is served, being built or of others stays', async () => {
  const generations = await Generations.open(ground.documents, endlessTerm());
  for (let number = 1; number <= 3; number += 1) {
    await generations.serve(await generations.begin(notes));
    await generations.dropDiscarded('notes');
  }
  await generations.begin(notes);
  for (const name of [physicalName('notes', 3, 1), physicalName('notes', 2, 2), physicalName('notes', 3, 9), physicalName('others', 3, 1), 'notes']) {
    await ground.documents.declare({ name, indexes: [] });
  }
  await generations.dropOrphans(notes);
  expect(await ground.documents.collections()).toEqual(['notes', 'notes_v3_g3', 'notes_v3_g4', 'notes_v3_g9', 'others_v3_g1']);
});

test('of what was replaced only the named generations are dropped', async () => {
  const generations = await Generations.open(ground.documents, endlessTerm());
  for (let number = 1; number <= 3; number += 1) await generations.serve(await generations.begin(notes));
  await generations.dropDiscarded('notes', [1]);
  expect(await ground.documents.collections()).toEqual(['notes_v3_g2', 'notes_v3_g3']);
  expect(generations.of('notes').discarded.map(({ number }) => number)).toEqual([2]);
});
