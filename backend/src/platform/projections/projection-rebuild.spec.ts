import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { projector, put } from '../../kernel/projector.js';
import { DiskFull } from '../store-errors.js';
import { slices } from '../../slices.js';
import { PROJECT_ID } from '../../testing/project-history.js';
import { foldedBy } from '../../testing/projected-documents.js';
import { withOverride } from '../../testing/temporary-vault.js';
import { ProjectionsFixture, renamed, started, stored, until } from '../../testing/projections-fixture.js';
import { ProjectionRunner } from './projection-runner.js';

let given: ProjectionsFixture;
const WAIT_MS = 20_000;

beforeEach(async () => {
  given = await ProjectionsFixture.open();
});
afterEach(() => given.close());

const shouting = (version: number) =>
  projector<{ ProjectRenamed: { to: string } }>(
    { name: 'words', version, collections: [{ name: 'words', indexes: [] }] },
    { ProjectRenamed: ({ stream, data }) => [put('words', stream, { said: version === 1 ? data.to : data.to.toUpperCase() })] },
  );
const said = async () => (await given.testStores.reads.get<{ said: string }>('words', projectStream(PROJECT_ID)))?.said;
const collections = async () => JSON.parse((await given.testStores.documents.fact('generations')) ?? '{}') as unknown;
const untilDropped = () => until(async () => !JSON.stringify(await collections()).includes('"discarded":[{'));
/** The fixture's runner on a store whose disk is too full for the first few drops. */
const failingDrops = (times: number) => {
  const { documents } = given.testStores;
  let left = times;
  const full = withOverride(documents, 'drop', async (...args) => {
    if (left > 0) throw new DiskFull(`no room, ${(left -= 1)} more times`);
    await documents.drop(...args);
  });
  given.runner = new ProjectionRunner({ ...given.testStores.projections().deps, documents: full });
  return given.runner;
};

describe('a rebuild', () => {
  test('is served when it has caught up, equal to the old documents, which are then dropped', async () => {
    await given.runner.start(slices.projectors);
    await given.append(renamed(started, 'High tide'));
    for (const { name: each } of slices.projectors) await given.rebuilt(each);
    const position = await given.append(renamed(renamed(started, 'High tide'), 'Low again'), started.events.length + 1);
    expect(await given.runner.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect(await given.name()).toBe('Low again');
    const events = await given.testStores.opened.open(await given.testStores.store.readAll({ after: 0 }));
    const fresh = await Promise.all(slices.projectors.map((each) => foldedBy(given.testStores, each, events)));
    expect(await given.everything(2)).toEqual(fresh);
    await expect(given.testStores.documents.get(stored(1), PROJECT_ID)).rejects.toThrow('not declared');
    expect(await given.testStores.documents.checkpoint(stored(1))).toBe(0);
  });

  test('serves the old documents while it runs', async () => {
    let history = started;
    for (let edit = 0; edit < 300; edit += 1) history = renamed(history, `name ${edit}`);
    await given.append(history);
    await given.runner.start(slices.projectors);
    const seen = new Set<string | undefined>();
    const generation = await given.runner.rebuild('projects');
    await until(async () => {
      seen.add(await given.name());
      return (await given.runner.status()).some(({ projector: each, generation: served }) => each === 'projects' && served === generation);
    });
    expect([...seen]).toEqual(['name 299']);
  });

  test('continues after a restart that interrupted it', async () => {
    await given.append(started);
    await given.runner.start(slices.projectors);
    await Promise.all([given.runner.rebuild('projects'), given.runner.stop()]);
    given.runner = given.testStores.projections();
    await given.runner.start(slices.projectors);
    await until(async () => (await given.runner.status()).some(({ projector: each, generation }) => each === 'projects' && generation === 2));
    expect(await given.name()).toBe('Low tide');
  });

  test('follows a raised version: only the new shape is served, and the old documents are dropped once it is', async () => {
    await given.append(renamed(started, 'High tide'));
    await given.runner.start([shouting(1)]);
    expect(await said()).toBe('High tide');
    await given.restarted([shouting(2)]);
    expect(await said()).toBe('HIGH TIDE');
    await untilDropped();
    expect(await collections()).toEqual({ words: { last: 2, served: { version: 2, number: 2, collections: ['words'] }, building: null, discarded: [] } });
  });

  test('of a raised version leaves the old documents for the old program when it is interrupted', async () => {
    await given.append(renamed(started, 'High tide'));
    await given.runner.start([shouting(1)]);
    await given.runner.stop();
    const newer = given.testStores.projections();
    await Promise.all([newer.start([shouting(2)]), newer.stop()]);
    expect(await collections()).toMatchObject({ words: { served: { version: 1 }, building: { version: 2 } } });
    await given.restarted([shouting(1)]);
    expect(await said()).toBe('High tide');
    await untilDropped();
    expect(await collections()).toMatchObject({ words: { served: { version: 1, number: 1 }, building: null, discarded: [] } });
  });

  test('the documents of a removed projector are dropped', async () => {
    await given.runner.start([shouting(1), ...slices.projectors]);
    await given.restarted();
    await untilDropped();
    await expect(given.testStores.documents.get('words_v1_g1', 'x')).rejects.toThrow('not declared');
  });
});

describe('a rebuild whose old documents cannot be dropped', () => {
  test('is complete: dropping them alone is tried again', async () => {
    const failing = failingDrops(1);
    await failing.start([shouting(1)]);
    await given.append(renamed(started, 'High tide'));
    await failing.rebuild('words');
    const position = await given.append(renamed(renamed(started, 'High tide'), 'Low again'), started.events.length + 1);
    expect(await failing.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    await until(async () => (await failing.status()).some(({ generation }) => generation === 2));
    await untilDropped();
    expect(await collections()).toEqual({ words: { last: 2, served: { version: 1, number: 2, collections: ['words'] }, building: null, discarded: [] } });
    expect(await said()).toBe('Low again');
    expect(given.testStores.logged.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'rebuilding a read model'],
      ['info', 'now serving the rebuilt read model'],
      ['error', 'replaced read models could not be dropped, trying again'],
    ]);
  });

  test('does not keep the next start from serving', async () => {
    await given.append(renamed(started, 'High tide'));
    await given.runner.start([shouting(1)]);
    await given.runner.stop();
    const failing = failingDrops(2);
    await failing.start([shouting(2)]);
    await failing.stop();
    const again = failingDrops(1);
    await again.start([shouting(2)]);
    expect(await said()).toBe('HIGH TIDE');
    await untilDropped();
  });
});

test('a rebuild of an unknown projector does not start, and one in progress is not started again', async () => {
  await given.runner.start(slices.projectors);
  expect(await given.runner.rebuild('nobody')).toBeNull();
  expect(await Promise.all([given.runner.rebuild('projects'), given.runner.rebuild('projects')])).toEqual([2, 2]);
  await until(async () => (await given.runner.status()).every(({ rebuild }) => rebuild === null));
  expect(given.testStores.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
