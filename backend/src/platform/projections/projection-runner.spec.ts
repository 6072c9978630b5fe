import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { projector, put, update } from '../../kernel/projector.js';
import { slices } from '../../slices.js';
import { type Ground, openGround } from '../../testing/ground.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../../testing/project-history.js';
import { documentsOf, foldedBy } from '../../testing/projected.js';
import { ProjectionRunner } from './projection-runner.js';
import { ReadModels } from './read-models.js';
import { DiskFull } from '../store-errors.js';

let ground: Ground;
let runner: ProjectionRunner;
const VERSION = slices.projectors.find((each) => each.name === 'projects')?.version ?? 0;
/** Where the projects of a generation lie, and its checkpoint. */
const stored = (generation: number): string => `projects_v${VERSION}_g${generation}`;
const WAIT_MS = 5_000;

/** Appends a history's events as the log takes them, each with an id of its own. */
async function append(history: ProjectHistory, from = 0, expected: number | 'none' = from === 0 ? 'none' : from - 1): Promise<number> {
  const events = history.events.slice(from).map(({ type, data, meta }): NewEvent => ({ id: randomUUID(), type, data, meta }));
  const stream = history.events[0]?.stream ?? '';
  const sealed = await Promise.all(events.map((event) => ground.personalData.seal(stream, event)));
  return (await ground.store.append(stream, expected, sealed)).position;
}
const name = async (projectId = PROJECT_ID) => (await ground.reads.get<{ projectName: string }>('projects', projectId))?.projectName;
const everything = async (generation = 1) => {
  const events = await ground.opened.open(await ground.store.readAll({ after: 0 }));
  return Promise.all(slices.projectors.map((each) => documentsOf(ground.documents, each, events, generation)));
};
/** The runner of the same program after a restart. */
const restarted = async (projectors = slices.projectors): Promise<void> => {
  await runner.stop();
  runner = ground.projections();
  await runner.start(projectors);
};
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
/** Builds a projector anew and waits until the new generation is served and the old one gone. */
const rebuilt = async (which: string): Promise<void> => {
  const generation = await runner.rebuild(which);
  await until(async () => (await runner.status()).some((each) => each.projector === which && each.generation === generation));
  await until(async () => !(await ground.documents.fact('generations'))?.includes('"discarded":[{'));
};
const renamed = (history: ProjectHistory, to: string) => history.and({ type: 'ProjectRenamed', data: { from: '', to } });
const started = aProject()
  .ownedBy('ana')
  .withVersion('v1')
  .sharedWith('bob')
  .withRegion('r1', { by: 'bob' })
  .withComment('c1', { by: 'bob', tags: ['r1'] });

beforeEach(async () => {
  ground = await openGround();
  runner = ground.projections();
});
afterEach(async () => {
  await runner.stop();
  await ground.close();
});

test('what was written before it starts is there when it has started, more than a page of it', async () => {
  let history = started;
  for (let edit = 0; edit < 450; edit += 1) history = renamed(history, `name ${edit}`);
  const position = await append(history);
  await runner.start(slices.projectors);
  expect(runner.parts.readSide.saved.position).toBe(position);
  expect(await name()).toBe('name 449');
  expect(await runner.status()).toEqual(
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

test('then it follows: whoever waits for a position reads what was written there', async () => {
  await runner.start(slices.projectors);
  const first = await append(started);
  expect(await runner.parts.readSide.saved.waitFor(first, WAIT_MS)).toBe(true);
  expect(await name()).toBe('Low tide');
  const history = renamed(started, 'High tide');
  const second = await append(history, started.events.length);
  expect(await runner.parts.readSide.saved.waitFor(second, WAIT_MS)).toBe(true);
  expect(await name()).toBe('High tide');
});

test('it goes on from its checkpoint after a restart', async () => {
  await append(started);
  await runner.start(slices.projectors);
  await runner.stop();
  await append(renamed(started, 'High tide'), started.events.length);
  runner = ground.projections();
  await runner.start(slices.projectors);
  expect(await name()).toBe('High tide');
});

test('read models deleted and built anew are equal', async () => {
  await append(started);
  await append(aProject('p2').ownedBy('bob').withVersion('v2').withComment('c2').withReply('c3', { to: 'c2' }).withoutComment('c2', { gone: [] }));
  await runner.start(slices.projectors);
  const before = await everything();
  await runner.stop();
  await ground.documents.setFact('log', 'another log');
  await restarted();
  expect(await everything(2)).toEqual(before);
});

test('read models that are ahead of the log are not believed: they are built anew, and the log says so', async () => {
  await append(started);
  await runner.start(slices.projectors);
  await runner.stop();
  const write = { collection: stored(1), id: PROJECT_ID, body: { projectName: 'From a lost future' }, position: 900 };
  await ground.documents.save({ projector: stored(1), checkpoint: 900, writes: [write] });
  await restarted();
  expect(await name()).toBe('Low tide');
  expect(ground.said).toMatchObject([
    { level: 'error', message: 'read models are ahead of the log: building them anew', facts: { projector: 'projects', head: started.events.length } },
  ]);
  await expect(ground.documents.get(stored(1), PROJECT_ID)).rejects.toThrow('not declared');
});

test('read models of another log are built anew', async () => {
  await append(started);
  await runner.start(slices.projectors);
  await runner.stop();
  await ground.documents.setFact('log', 'another log');
  await ground.documents.save({
    projector: stored(1),
    checkpoint: 900,
    writes: [
      { collection: stored(1), id: 'stranger', body: { projectName: 'Not ours' }, position: 900 },
      { collection: stored(1), id: PROJECT_ID, body: { projectName: 'Not ours' }, position: 900 },
    ],
  });
  runner = ground.projections();
  await runner.start(slices.projectors);
  expect([await name(), await name('stranger')]).toEqual(['Low tide', undefined]);
  expect(await ground.documents.fact('log')).toBe(ground.store.identity);
  expect(ground.said.map(({ message }) => message)).toEqual(['read models belong to another log: building them anew']);
});

describe('a projector that cannot take an event', () => {
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
  const wordsOf = (projectId: string) => ground.reads.get('words', projectStream(projectId));
  const other = aProject('p2').ownedBy('bob');
  const bad = renamed(renamed(started, 'unspeakable'), 'after');

  test('parks that stream alone; the others, and the other projectors, go on', async () => {
    await runner.start([words(() => false), ...slices.projectors]);
    await append(started);
    await append(bad, started.events.length);
    const position = await append(renamed(other, 'fine'));
    expect(await runner.parts.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect([await wordsOf('p1'), await wordsOf('p2')]).toEqual([{ words: ['Low tide'] }, { words: ['Low tide', 'fine'] }]);
    expect(await name()).toBe('after');
    const parked = { stream: projectStream(PROJECT_ID), position: started.events.length + 1, type: 'ProjectRenamed', reason: 'projection' };
    const status = { projector: 'words', version: 1, generation: 1, checkpoint: position, lag: 0, parkedStreams: [parked], rebuild: null };
    expect((await runner.status())[0]).toEqual(status);
  });

  test('still knows after a restart with a program that could, and forgets when it is built anew', async () => {
    await append(bad);
    await runner.start([words(() => false)]);
    await runner.stop();
    await append(renamed(bad, 'much later'), bad.events.length);
    await restarted([words(() => true)]);
    expect(await wordsOf('p1')).toEqual({ words: ['Low tide'] });
    expect((await runner.status())[0]?.parkedStreams.map(({ stream }) => stream)).toEqual([projectStream(PROJECT_ID)]);
    await rebuilt('words');
    expect(await wordsOf('p1')).toEqual({ words: ['Low tide', 'unspeakable', 'after', 'much later'] });
    expect((await runner.status())[0]?.parkedStreams).toEqual([]);
  });
});

describe('an event that cannot be read', () => {
  const unknown = async (projectId: string): Promise<number> => {
    const meta = { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    return (await ground.store.append(projectStream(projectId), 'any', [{ id: randomUUID(), type: 'FromTheFuture', data: { to: 'x' }, meta }])).position;
  };

  test('of a type that nobody knows parks its stream, and the rest goes on', async () => {
    await runner.start(slices.projectors);
    await append(started);
    const at = await unknown(PROJECT_ID);
    await append(renamed(started, 'after'), started.events.length, started.events.length);
    const position = await append(aProject('p2').ownedBy('bob'));
    expect(await runner.parts.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect([await name(), await name('p2')]).toEqual(['Low tide', 'Low tide']);
    const parked = [{ stream: projectStream(PROJECT_ID), position: at, type: 'FromTheFuture', reason: 'unknown-type' }];
    expect((await runner.status()).map(({ parkedStreams }) => parkedStreams)).toEqual(slices.projectors.map(() => parked));
  });

  test('because its text was tampered with parks its stream for those who answer to it', async () => {
    await append(started);
    const meta = { actorUid: 'ana', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    const event = { id: randomUUID(), type: 'ProjectRenamed', data: { from: 'Low tide', to: 'Forged' }, meta };
    const { data } = await ground.personalData.seal(projectStream(PROJECT_ID), event);
    const forged = await ground.store.append(projectStream(PROJECT_ID), 'any', [{ ...event, id: randomUUID(), data }]);
    await append(aProject('p2').ownedBy('bob'));
    await runner.start(slices.projectors);
    expect([await name(), await name('p2')]).toEqual(['Low tide', 'Low tide']);
    const parked = { stream: projectStream(PROJECT_ID), position: forged.position, type: 'ProjectRenamed', reason: 'sealed' };
    expect((await runner.status()).flatMap(({ projector: each, parkedStreams }) => parkedStreams.map((one) => [each, one]))).toEqual([['projects', parked]]);
  });
});

describe('a rebuild', () => {
  const shouting = (version: number) =>
    projector<{ ProjectRenamed: { to: string } }>(
      { name: 'words', version, collections: [{ name: 'words', indexes: [] }] },
      { ProjectRenamed: ({ stream, data }) => [put('words', stream, { said: version === 1 ? data.to : data.to.toUpperCase() })] },
    );
  const said = async () => (await ground.reads.get<{ said: string }>('words', projectStream(PROJECT_ID)))?.said;
  const collections = async () => JSON.parse((await ground.documents.fact('generations')) ?? '{}') as unknown;

  test('is served when it has caught up, equal to what was served before, which is dropped then', async () => {
    await runner.start(slices.projectors);
    await append(renamed(started, 'High tide'));
    for (const { name: each } of slices.projectors) await rebuilt(each);
    const position = await append(renamed(renamed(started, 'High tide'), 'Low again'), started.events.length + 1);
    expect(await runner.parts.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect(await name()).toBe('Low again');
    const events = await ground.opened.open(await ground.store.readAll({ after: 0 }));
    const fresh = await Promise.all(slices.projectors.map((each) => foldedBy(ground, each, events)));
    expect(await everything(2)).toEqual(fresh);
    await expect(ground.documents.get(stored(1), PROJECT_ID)).rejects.toThrow('not declared');
    expect(await ground.documents.checkpoint(stored(1))).toBe(0);
  });

  test('never shows less than there was, while it runs', async () => {
    let history = started;
    for (let edit = 0; edit < 300; edit += 1) history = renamed(history, `name ${edit}`);
    await append(history);
    await runner.start(slices.projectors);
    const seen = new Set<string | undefined>();
    const generation = await runner.rebuild('projects');
    await until(async () => {
      seen.add(await name());
      return (await runner.status()).some(({ projector: each, generation: served }) => each === 'projects' && served === generation);
    });
    expect([...seen]).toEqual(['name 299']);
  });

  test('broken off by a stop goes on after the restart', async () => {
    await append(started);
    await runner.start(slices.projectors);
    await Promise.all([runner.rebuild('projects'), runner.stop()]);
    runner = ground.projections();
    await runner.start(slices.projectors);
    await until(async () => (await runner.status())[1]?.generation === 2);
    expect(await name()).toBe('Low tide');
  });

  test('follows a raised version: the new shape alone is served, and the old documents go once it is', async () => {
    await append(renamed(started, 'High tide'));
    await runner.start([shouting(1)]);
    expect(await said()).toBe('High tide');
    await restarted([shouting(2)]);
    expect(await said()).toBe('HIGH TIDE');
    expect(await collections()).toEqual({ words: { last: 2, served: { version: 2, number: 2, collections: ['words'] }, building: null, discarded: [] } });
  });

  test('of a raised version broken off leaves the old documents for the old program', async () => {
    await append(renamed(started, 'High tide'));
    await runner.start([shouting(1)]);
    await runner.stop();
    const newer = ground.projections();
    await Promise.all([newer.start([shouting(2)]), newer.stop()]);
    expect(await collections()).toMatchObject({ words: { served: { version: 1 }, building: { version: 2 } } });
    await restarted([shouting(1)]);
    expect(await said()).toBe('High tide');
    expect(await collections()).toMatchObject({ words: { served: { version: 1, number: 1 }, building: null, discarded: [] } });
  });

  test('of a projector that is no more drops its documents', async () => {
    await runner.start([shouting(1), ...slices.projectors]);
    await restarted();
    await expect(ground.documents.get('words_v1_g1', 'x')).rejects.toThrow('not declared');
  });
});

test('a rebuild of a projector that nobody knows does not begin, one under way is not begun again', async () => {
  await runner.start(slices.projectors);
  expect(await runner.rebuild('nobody')).toBeNull();
  expect(await Promise.all([runner.rebuild('projects'), runner.rebuild('projects')])).toEqual([2, 2]);
  await until(async () => (await runner.status()).every(({ rebuild }) => rebuild === null));
  expect(ground.said.filter(({ level }) => level === 'error')).toEqual([]);
});

test('when the disk is full for a while it goes on afterwards, from where it was', async () => {
  let isFull = false;
  const crowded = new Proxy(ground.documents, {
    get(documents, member) {
      if (member === 'save' && isFull) return () => Promise.reject(new DiskFull('no room'));
      const value: unknown = Reflect.get(documents, member, documents);
      return typeof value === 'function' ? (value.bind(documents) as unknown) : value;
    },
  });
  const log = {
    info: () => undefined,
    error: (facts: object, message: string) => {
      ground.log.error(facts, message);
      isFull = false;
    },
  };
  runner = new ProjectionRunner({ ...ground.projections().parts, documents: crowded, reads: new ReadModels(crowded), log });
  await runner.start(slices.projectors);
  isFull = true;
  const position = await append(started);
  expect(await runner.parts.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
  expect(ground.said.map(({ message }) => message)).toEqual(['projections failed, trying again']);
  expect((await runner.status()).map((each) => each.checkpoint)).toEqual(slices.projectors.map(() => position));
});
