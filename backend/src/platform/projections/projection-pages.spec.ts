import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import type { Projector } from '../../kernel/projector.js';
import { projectsProjector } from '../../projects/projects.projector.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { documentsOf, firstGeneration } from '../../testing/projected-documents.js';
import type { DocumentBatch, DocumentStore } from '../documents/documents.js';
import { type Generation, physicalName } from './projection-generations.js';
import { ProjectionPages } from './projection-pages.js';
import { DiskFull } from '../store-errors.js';

const RENAMES = 60;
const BAD = 'unspeakable';
/** Fails for good at one event in the middle. */
const touchy: Projector = {
  ...projectsProjector,
  project: (event) => {
    if ((event.data as { readonly to?: string }).to === BAD) throw new Error('no');
    return projectsProjector.project(event);
  },
};

let testStores: TestStores;

beforeEach(async () => {
  testStores = await openTestStores();
  let history = aProject().ownedBy('ana').withVersion('v1');
  for (let at = 0; at < RENAMES; at += 1) {
    history = history.and({ type: 'ProjectRenamed', data: { from: '', to: at === RENAMES / 2 ? BAD : `name ${at}` } });
  }
  const events = history.events.map(({ type, data, meta }): NewEvent => ({ id: randomUUID(), type, data, meta }));
  const stream = projectStream(PROJECT_ID);
  await testStores.store.append(stream, 'none', await Promise.all(events.map((event) => testStores.sealer.seal(stream, event))));
});
afterEach(() => testStores.close());

/** A store of its own that notes what is saved and refuses one save, counted from 0. */
async function storeThatFails(at: number): Promise<{ readonly documents: DocumentStore; readonly saves: readonly DocumentBatch[] }> {
  const real = await testStores.otherDocuments(`${randomUUID()}.db`);
  for (const { name, indexes } of touchy.collections) await real.declare({ name: physicalName(name, touchy.version, 1), indexes });
  const saves: DocumentBatch[] = [];
  const save = (batch: DocumentBatch): Promise<void> => (saves.push(batch) - 1 === at ? Promise.reject(new DiskFull('no room')) : real.save(batch));
  const documents = new Proxy(real, {
    get(store, member) {
      if (member === 'save') return save;
      const value: unknown = Reflect.get(store, member, store);
      return typeof value === 'function' ? (value.bind(store) as unknown) : value;
    },
  });
  return { documents, saves };
}

const advance = (documents: DocumentStore, generation: Generation): Promise<void> => {
  const { store, opened, log } = testStores;
  return new ProjectionPages({ store, documents, opened, log }).advance([generation], { page: 5, batch: 20, signal: new AbortController().signal });
};

const outcomeOf = async (documents: DocumentStore, generation: Generation) => ({
  documents: await documentsOf(documents, projectsProjector, await testStores.opened.open(await testStores.store.readAll({ after: 0 }))),
  checkpoints: [generation.checkpoint, await documents.checkpoint(generation.key)],
  parked: [...generation.parked.values()],
  parkedFact: await documents.fact(`parked ${generation.key}`),
});

test('a document that many pages change is saved once for all of them, with the checkpoint of the last', async () => {
  const { documents, saves } = await storeThatFails(-1);
  await advance(documents, firstGeneration(projectsProjector));
  const head = await testStores.store.head();
  expect(saves.map(({ checkpoint, writes }) => [checkpoint, writes.length])).toEqual([20, 40, 60, head].map((checkpoint) => [checkpoint, 1]));
});

test.each([0, 1, 2, 3])('when save %i fails, later changes are discarded, and after the next attempt everything is as if no save had failed', async (at) => {
  const smooth = { ...(await storeThatFails(-1)), generation: firstGeneration(touchy) };
  await advance(smooth.documents, smooth.generation);
  const rough = { ...(await storeThatFails(at)), generation: firstGeneration(touchy) };
  await expect(advance(rough.documents, rough.generation)).rejects.toThrow(DiskFull);
  const { checkpoint, parked } = rough.generation;
  expect([checkpoint, await rough.documents.checkpoint(rough.generation.key)]).toEqual([at * 20, at * 20]);
  expect([...parked.values()].every(({ position }) => position <= checkpoint)).toBe(true);
  await advance(rough.documents, rough.generation);
  expect(await outcomeOf(rough.documents, rough.generation)).toEqual(await outcomeOf(smooth.documents, smooth.generation));
  expect(smooth.generation.parked.size).toBe(1);
});
