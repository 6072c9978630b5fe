import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { projector, put, update } from '../../kernel/projector.js';
import { slices } from '../../slices.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { withOverride } from '../../testing/temporary-vault.js';
import type { EventStore } from '../event-store/event-store.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { ProjectionRunner } from './projection-runner.js';
import { ProjectionsFixture, renamed, started, stored } from '../../testing/projections-fixture.js';
import { ReadModels } from './read-models.js';
import { appendNext } from '../../testing/append-next.js';

let given: ProjectionsFixture;
const WAIT_MS = 20_000;

beforeEach(async () => {
  given = await ProjectionsFixture.open();
});
afterEach(() => given.close());

test('events written before the runner starts are projected by the time it has started, even several pages of them', async () => {
  let history = started;
  for (let edit = 0; edit < 450; edit += 1) history = renamed(history, `name ${edit}`);
  const position = await given.append(history);
  await given.runner.start(slices.projectors);
  expect(given.runner.deps.readSide.saved.position).toBe(position);
  expect(await given.name()).toBe('name 449');
  expect(await given.runner.status()).toEqual(
    slices.projectors.map((each) => ({
      projector: each.name,
      version: each.version,
      generation: 1,
      checkpoint: position,
      lag: 0,
      parkedStreams: [],
      rebuild: null,
    })),
  );
});

test('a running projector follows the log: after waiting for a position, the write is readable', async () => {
  await given.runner.start(slices.projectors);
  const first = await given.append(started);
  expect(await given.runner.deps.readSide.saved.waitFor(first, WAIT_MS)).toBe(true);
  expect(await given.name()).toBe('Low tide');
  const history = renamed(started, 'High tide');
  const second = await given.append(history, started.events.length);
  expect(await given.runner.deps.readSide.saved.waitFor(second, WAIT_MS)).toBe(true);
  expect(await given.name()).toBe('High tide');
});

test('a projector continues from its checkpoint after a restart', async () => {
  await given.append(started);
  await given.runner.start(slices.projectors);
  await given.runner.stop();
  await given.append(renamed(started, 'High tide'), started.events.length);
  given.runner = given.testStores.projections();
  await given.runner.start(slices.projectors);
  expect(await given.name()).toBe('High tide');
});

test('deleted read models are rebuilt to the same content', async () => {
  await given.append(started);
  await given.append(aProject('p2').ownedBy('bob').withVersion('v2').withComment('c2').withReply('c3', { to: 'c2' }).withoutComment('c2', { gone: [] }));
  await given.runner.start(slices.projectors);
  const before = await given.everything();
  await given.runner.stop();
  await given.testStores.documents.setFact('log', 'another log');
  await given.restarted();
  expect(await given.everything(2)).toEqual(before);
});

test('read models that are ahead of the log are rebuilt, with a log line', async () => {
  await given.append(started);
  await given.runner.start(slices.projectors);
  await given.runner.stop();
  const write = { collection: stored(1), id: PROJECT_ID, body: { projectName: 'From a lost future' }, position: 900 };
  await given.testStores.documents.save({ projector: stored(1), checkpoint: 900, writes: [write] });
  await given.restarted();
  expect(await given.name()).toBe('Low tide');
  expect(given.testStores.logged).toMatchObject([
    { level: 'error', message: 'read models are ahead of the log: rebuilding them', facts: { projector: 'projects', head: started.events.length } },
  ]);
  await expect(given.testStores.documents.get(stored(1), PROJECT_ID)).rejects.toThrow('not declared');
});

describe('a server that lags behind its leader', () => {
  const lagging = () => withOverride<EventStore, 'head'>(given.testStores.store, 'head', () => Promise.resolve(1));
  const onServer = (store: EventStore) => new ProjectionRunner({ ...given.testStores.projections().deps, store });
  beforeEach(async () => {
    await given.append(started);
    await given.runner.start(slices.projectors);
    await given.runner.stop();
  });

  test('does not make read models look as if they were ahead of the log', async () => {
    given.runner = onServer(lagging());
    await given.runner.start(slices.projectors);
    expect((await given.runner.status()).map(({ generation }) => generation)).toEqual(slices.projectors.map(() => 1));
    expect(given.testStores.logged).toEqual([]);
  });

  test('drops no read models while the leader cannot confirm the end of the log, also not those of another log', async () => {
    const leaderless = withOverride(lagging(), 'confirmedHead', () => Promise.reject(new ServiceUnavailable('no leader')));
    for (const log of [given.testStores.store.identity, 'another log']) {
      await given.testStores.documents.setFact('log', log);
      given.runner = onServer(leaderless);
      await expect(given.runner.start(slices.projectors)).rejects.toThrow('no leader');
      expect(await given.testStores.documents.get(stored(1), PROJECT_ID)).toMatchObject({ projectName: 'Low tide' });
    }
  });
});

test('read models of another log are rebuilt', async () => {
  await given.append(started);
  await given.runner.start(slices.projectors);
  await given.runner.stop();
  await given.testStores.documents.setFact('log', 'another log');
  await given.testStores.documents.save({
    projector: stored(1),
    checkpoint: 900,
    writes: [
      { collection: stored(1), id: 'stranger', body: { projectName: 'Not ours' }, position: 900 },
      { collection: stored(1), id: PROJECT_ID, body: { projectName: 'Not ours' }, position: 900 },
    ],
  });
  given.runner = given.testStores.projections();
  await given.runner.start(slices.projectors);
  expect([await given.name(), await given.name('stranger')]).toEqual(['Low tide', undefined]);
  expect(await given.testStores.documents.fact('log')).toBe(given.testStores.store.identity);
  expect(given.testStores.logged.map(({ message }) => message)).toEqual(['read models belong to another log: rebuilding them']);
});

describe('a projector that fails on an event', () => {
  const words = (works: () => boolean) =>
    projector<{ ProjectCreated: { projectName: string }; ProjectRenamed: { to: string } }>(
      { name: 'words', version: 1, collections: [{ name: 'words', indexes: [] }] },
      {
        ProjectCreated: ({ stream, data }) => [put('words', stream, { words: [data.projectName] })],
        ProjectRenamed: ({ stream, data }) => {
          if (data.to === 'unspeakable' && !works()) throw new Error('no');
          return [update<{ words: string[] }>('words', stream, (old) => ({ words: [...old.words, data.to] }))];
        },
      },
    );
  const wordsOf = (projectId: string) => given.testStores.reads.get('words', projectStream(projectId));
  const other = aProject('p2').ownedBy('bob');
  const bad = renamed(renamed(started, 'unspeakable'), 'after');

  test('parks that stream only; other streams and other projectors continue', async () => {
    await given.runner.start([words(() => false), ...slices.projectors]);
    await given.append(started);
    await given.append(bad, started.events.length);
    const position = await given.append(renamed(other, 'fine'));
    expect(await given.runner.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect([await wordsOf('p1'), await wordsOf('p2')]).toEqual([{ words: ['Low tide'] }, { words: ['Low tide', 'fine'] }]);
    expect(await given.name()).toBe('after');
    const parked = { stream: projectStream(PROJECT_ID), position: started.events.length + 1, type: 'ProjectRenamed', reason: 'projection' };
    const status = { projector: 'words', version: 1, generation: 1, checkpoint: position, lag: 0, parkedStreams: [parked], rebuild: null };
    expect((await given.runner.status())[0]).toEqual(status);
  });

  test('keeps it parked after a restart with a fixed program, until it is rebuilt', async () => {
    await given.append(bad);
    await given.runner.start([words(() => false)]);
    await given.runner.stop();
    await given.append(renamed(bad, 'much later'), bad.events.length);
    await given.restarted([words(() => true)]);
    expect(await wordsOf('p1')).toEqual({ words: ['Low tide'] });
    expect((await given.runner.status())[0]?.parkedStreams.map(({ stream }) => stream)).toEqual([projectStream(PROJECT_ID)]);
    await given.rebuilt('words');
    expect(await wordsOf('p1')).toEqual({ words: ['Low tide', 'unspeakable', 'after', 'much later'] });
    expect((await given.runner.status())[0]?.parkedStreams).toEqual([]);
  });
});

describe('an event that cannot be read', () => {
  const unknown = async (projectId: string): Promise<number> => {
    const meta = { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    return (await appendNext(given.testStores.store, projectStream(projectId), [{ id: randomUUID(), type: 'FromTheFuture', data: { to: 'x' }, meta }]))
      .position;
  };

  test('of an unknown type parks its stream, and the rest continues', async () => {
    await given.runner.start(slices.projectors);
    await given.append(started);
    const at = await unknown(PROJECT_ID);
    await given.append(renamed(started, 'after'), started.events.length, started.events.length);
    const position = await given.append(aProject('p2').ownedBy('bob'));
    expect(await given.runner.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect([await given.name(), await given.name('p2')]).toEqual(['Low tide', 'Low tide']);
    const parked = [{ stream: projectStream(PROJECT_ID), position: at, type: 'FromTheFuture', reason: 'unknown-type' }];
    expect((await given.runner.status()).map(({ parkedStreams }) => parkedStreams)).toEqual(slices.projectors.map(() => parked));
  });

  test('with a tampered text parks its stream for the projectors that handle it', async () => {
    await given.append(started);
    const meta = { actorUid: 'ana', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    const event = { id: randomUUID(), type: 'ProjectRenamed', data: { from: 'Low tide', to: 'Forged' }, meta };
    const { data } = await given.testStores.sealer.seal(projectStream(PROJECT_ID), event);
    const forged = await appendNext(given.testStores.store, projectStream(PROJECT_ID), [{ ...event, id: randomUUID(), data }]);
    await given.append(aProject('p2').ownedBy('bob'));
    await given.runner.start(slices.projectors);
    expect([await given.name(), await given.name('p2')]).toEqual(['Low tide', 'Low tide']);
    const parked = { stream: projectStream(PROJECT_ID), position: forged.position, type: 'ProjectRenamed', reason: 'sealed' };
    expect((await given.runner.status()).flatMap(({ projector: each, parkedStreams }) => parkedStreams.map((one) => [each, one]))).toEqual([
      ['projects', parked],
      ['notifications', parked],
    ]);
  });
});

test('after a full disk a projector continues from where it was', async () => {
  let isFull = false;
  const crowded = new Proxy(given.testStores.documents, {
    get(documents, member) {
      if (member === 'save' && isFull) return () => Promise.reject(new DiskFull('no room'));
      const value: unknown = Reflect.get(documents, member, documents);
      return typeof value === 'function' ? (value.bind(documents) as unknown) : value;
    },
  });
  const log = {
    info: () => undefined,
    error: (facts: object, message: string) => {
      given.testStores.log.error(facts, message);
      isFull = false;
    },
  };
  given.runner = new ProjectionRunner({ ...given.testStores.projections().deps, documents: crowded, reads: new ReadModels(crowded), log });
  await given.runner.start(slices.projectors);
  isFull = true;
  const position = await given.append(started);
  expect(await given.runner.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
  expect(given.testStores.logged.map(({ message }) => message)).toEqual(['projection failed, trying again']);
  expect((await given.runner.status()).map((each) => each.checkpoint)).toEqual(slices.projectors.map(() => position));
});

test('a save whose answer was lost is not projected a second time', async () => {
  const counting = projector<{ ProjectRenamed: { readonly to: string } }>(
    { name: 'counts', version: 1, collections: [{ name: 'counts', indexes: [] }] },
    {
      ProjectRenamed: {
        reads: () => [{ collection: 'counts', id: 'renamings' }],
        project: (_event, [counts = []]) => [put('counts', 'renamings', { many: Number(counts[0]?.body['many'] ?? 0) + 1 })],
      },
    },
  );
  let isLost = false;
  const { documents } = given.testStores;
  const forgetful = withOverride(documents, 'save', async (batch) => {
    await documents.save(batch);
    if (isLost) throw new ServiceUnavailable('the writer thread exited');
  });
  const log = { info: () => undefined, error: () => void (isLost = false) };
  given.runner = new ProjectionRunner({ ...given.testStores.projections().deps, documents: forgetful, reads: new ReadModels(forgetful), log });
  await given.runner.start([counting]);
  await given.append(started);
  isLost = true;
  const position = await given.append(renamed(started, 'High tide'), started.events.length);
  expect(await given.runner.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
  expect(await given.runner.deps.reads.get('counts', 'renamings')).toEqual({ many: 1 });
});
