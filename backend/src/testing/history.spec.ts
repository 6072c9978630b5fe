import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Stored } from '../kernel/decider.js';
import { upcastWith } from '../kernel/upcast.js';
import { mapLeaves } from '../platform/personal-data/leaves.js';
import { projectDecider } from '../projects/project.decider.js';
import { slices } from '../slices.js';
import { type TestStores, openTestStores } from './test-stores.js';
import { documentsOf, projectInto } from './projected-documents.js';
import { storedSamples } from './stored-samples.js';

const samples = storedSamples();
const upcast = upcastWith(slices.upcasters);
const isOfProject = (event: { readonly stream: string }) => event.stream.startsWith('project-');

test('every storable event type has a sample, and every sample has a type that is or was storable', () => {
  expect(samples.map(({ type }) => type).toSorted()).toEqual([...slices.fieldClasses.keys()].toSorted());
});

test.each(samples.map((sample) => [sample.type, upcast(sample)] as const))('every leaf field of %s has a field class', (_type, { type, data }) => {
  const leaves: string[] = [];
  mapLeaves(data, (path) => leaves.push(path));
  expect(leaves.filter((leaf) => slices.fieldClasses.get(type)?.[leaf] === undefined)).toEqual([]);
});

test.each(samples.filter(isOfProject).map((sample) => [sample.type, sample.position] as const))('the decider folds %s', (_type, position) => {
  const before = samples.filter(isOfProject).filter((sample) => sample.position <= position);
  const state = before.reduce((folded, event) => projectDecider.evolve(folded, upcast(event) as Stored<ProjectStreamEvent>), projectDecider.initial());
  expect(state.exists).toBe(true);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});

describe('in the real stores', () => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openTestStores();
  });
  afterEach(() => stores.close());

  test('every sample is sealed and opens unchanged', async () => {
    for (const sample of samples) {
      const sealed = await stores.sealer.seal(sample.stream, sample);
      expect(await stores.opened.open([{ ...sample, ...sealed }])).toEqual([upcast(sample)]);
    }
  });

  test('every projector accepts every sample', async () => {
    const events = samples.map(upcast);
    for (const projector of slices.projectors) {
      await projectInto(
        stores.documents,
        projector,
        events.map((event) => [event]),
      );
      expect(Object.keys(await documentsOf(stores.documents, projector, events))).not.toEqual([]);
    }
  });

  test('projectors skip an event type they do not know', () => {
    for (const sample of samples) {
      for (const projector of slices.projectors) expect(projector.project({ ...sample, type: `${sample.type}.v99` })).toEqual([]);
    }
  });
});
