import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { projector, put } from '../../kernel/projector.js';
import { commentsProjector } from '../../comments/comments.projector.js';
import { projectsProjector } from '../../projects/projects.projector.js';
import { slices } from '../../slices.js';
import { ProjectionsFixture, renamed, started, until } from '../../testing/projections-fixture.js';
import { Refused } from '../../kernel/refusal.js';
import type { DocumentBatch } from '../documents/documents.js';
import { ProjectionRunner } from './projection-runner.js';
import { ReadModels } from './read-models.js';
import { ReadSide } from './read-side.js';

const DOCUMENTS = 10_000;
/** The timeout of reads, in milliseconds. */
const MAX_WAIT_MS = 50;
const WAIT_MS = 20_000;

/** Writes many documents for every change of a project's name. */
const fanOut = projector<{ ProjectRenamed: { to: string } }>(
  { name: 'fan-out', version: 1, collections: [{ name: 'fans', indexes: [{ field: 'to' }] }] },
  { ProjectRenamed: ({ id, data }) => Array.from({ length: DOCUMENTS }, (_, at) => put('fans', `${id}-${at}`, { to: data.to, at })) },
);

let given: ProjectionsFixture;
let saves: DocumentBatch[];
let open: () => void;
let gate: Promise<void>;

/** A runner whose fan-out cannot save its second chunk before the gate opens. */
function gatedRunner(maxWaitMs: number): ProjectionRunner {
  const documents = new Proxy(given.testStores.documents, {
    get(store, member) {
      const value: unknown = Reflect.get(store, member, store);
      if (member !== 'save') return typeof value === 'function' ? (value.bind(store) as unknown) : value;
      return async (batch: DocumentBatch): Promise<void> => {
        if (batch.projector.startsWith('fan-out') && saves.some((each) => each.projector === batch.projector && each.writes.length > 0)) await gate;
        saves.push(batch);
        await store.save(batch);
      };
    },
  });
  const readSide = new ReadSide(undefined, maxWaitMs);
  return new ProjectionRunner({ ...given.testStores.projections().deps, documents, reads: new ReadModels(documents), readSide });
}

beforeEach(async () => {
  given = await ProjectionsFixture.open();
  saves = [];
  gate = new Promise((resolve) => {
    open = resolve;
  });
});
afterEach(async () => {
  open();
  await given.close();
});

describe('beside a projector that has begun to save 10,000 documents for one event', () => {
  const name = async () => (await given.runner.deps.reads.get<{ projectName: string }>('projects', 'p1'))?.projectName;

  test('the other read models show that event, and later ones, without waiting', async () => {
    given.runner = gatedRunner(WAIT_MS);
    await given.append(started);
    await given.runner.start([...slices.projectors, fanOut]);
    const { reads, readSide } = given.runner.deps;
    const first = await given.append(renamed(started, 'High tide'), started.events.length);
    expect(await reads.asOf(first, name)).toBe('High tide');
    const second = await given.append(renamed(renamed(started, 'High tide'), 'Ebb'), started.events.length + 1);
    expect(await reads.asOf(second, name)).toBe('Ebb');
    expect(readSide.of('fans').saved.position).toBeLessThan(first);
    expect(readSide.saved.position).toBeLessThan(first);
    open();
    expect(await readSide.saved.waitFor(second, WAIT_MS)).toBe(true);
    expect(await reads.asOf(second, () => reads.find('fans', { where: { field: 'to', value: 'Ebb' }, limit: 1_000 }))).toHaveLength(1_000);
  });

  test('its documents are saved in chunks of at most 200, with other saves in between and the checkpoint in the last chunk', async () => {
    given.runner = gatedRunner(WAIT_MS);
    await given.append(started);
    await given.runner.start([...slices.projectors, fanOut]);
    const { readSide } = given.runner.deps;
    const first = await given.append(renamed(started, 'High tide'), started.events.length);
    await until(async () => saves.some(({ projector: each, writes }) => each === 'fan-out_v1_g1' && writes.length > 0));
    expect(await given.testStores.documents.checkpoint('fan-out_v1_g1')).toBe(first - 1);
    const second = await given.append(renamed(renamed(started, 'High tide'), 'Ebb'), started.events.length + 1);
    expect(await readSide.of('projects').saved.waitFor(second, WAIT_MS)).toBe(true);
    open();
    expect(await readSide.saved.waitFor(second, WAIT_MS)).toBe(true);
    const chunksOfFirst = saves.filter(({ projector: each, writes }) => each === 'fan-out_v1_g1' && writes.some(({ position }) => position === first));
    expect(chunksOfFirst.map(({ writes }) => writes.length)).toEqual(Array.from({ length: DOCUMENTS / 200 }, () => 200));
    expect(chunksOfFirst.map(({ checkpoint }) => checkpoint)).toEqual([...Array.from({ length: DOCUMENTS / 200 - 1 }, () => first - 1), first]);
    const between = saves.slice(saves.indexOf(chunksOfFirst[0] as DocumentBatch), saves.indexOf(chunksOfFirst[1] as DocumentBatch));
    expect(between.map(({ projector: each }) => each)).toEqual(
      expect.arrayContaining([projectsProjector, commentsProjector].map((other) => `${other.name}_v${other.version}_g1`)),
    );
  });

  test('only reads of its documents wait', async () => {
    given.runner = gatedRunner(MAX_WAIT_MS);
    await given.append(started);
    await given.runner.start([...slices.projectors, fanOut]);
    const { reads, readSide } = given.runner.deps;
    const position = await given.append(renamed(started, 'High tide'), started.events.length);
    await until(async () => readSide.of('projects').saved.position >= position);
    await expect(reads.asOf(position, () => reads.get('fans', 'x'))).rejects.toThrow(new Refused('store.away'));
    await expect(readSide.waitFor(position)).rejects.toThrow(new Refused('store.away'));
    await expect(readSide.waitFor(position, ['projects', 'project-lists'])).resolves.toBeUndefined();
  });
});

test('a projector far behind the others continues with everything that it missed', async () => {
  given.runner = gatedRunner(WAIT_MS);
  await given.append(started);
  await given.runner.start([...slices.projectors, fanOut]);
  let history = renamed(started, 'first');
  await given.append(history, started.events.length);
  for (let edit = 0; edit < 30; edit += 1) {
    history = history.withComment(`late-${edit}`, { by: 'bob' });
    const at = await given.append(history, history.events.length - 1);
    expect(await given.runner.deps.readSide.of('comments').saved.waitFor(at, WAIT_MS)).toBe(true);
  }
  history = renamed(history, 'last');
  const position = await given.append(history, history.events.length - 1);
  open();
  expect(await given.runner.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
  const { reads } = given.runner.deps;
  const found = await reads.find<{ to: string }>('fans', { where: { field: 'to', value: 'last' }, limit: 1 });
  expect(found).toEqual([{ to: 'last', at: 0 }]);
  expect((await given.runner.status()).map(({ checkpoint }) => checkpoint)).toEqual([...slices.projectors, fanOut].map(() => position));
});
