import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '../kernel/event.js';
import { projector, put, update } from '../kernel/projector.js';
import { slices } from '../slices.js';
import { type Ground, openGround } from '../testing/ground.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import { documentsOf } from '../testing/projected.js';
import { ProjectionRunner } from './projection-runner.js';
import { ReadModels } from './read-models.js';
import { DiskFull } from './store-errors.js';

let ground: Ground;
let runner: ProjectionRunner;
const WAIT_MS = 5_000;

/** Appends a history's events as the log takes them, each with an id of its own. */
async function append(history: ProjectHistory, from = 0): Promise<number> {
  const events = history.events.slice(from).map(({ type, data, meta }): NewEvent => ({ id: randomUUID(), type, data, meta }));
  const stream = history.events[0]?.stream ?? '';
  const sealed = await Promise.all(events.map((event) => ground.personalData.seal(stream, event)));
  return (await ground.store.append(stream, from === 0 ? 'none' : from - 1, sealed)).position;
}
const name = async (projectId = PROJECT_ID) => (await ground.reads.get<{ projectName: string }>('projects', projectId))?.projectName;
const everything = async () => {
  const events = await ground.opened.open(await ground.store.readAll({ after: 0 }));
  return Promise.all(slices.projectors.map((each) => documentsOf(ground.documents, each, events)));
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
  expect(runner.saved.position).toBe(position);
  expect(await name()).toBe('name 449');
  expect(await runner.status()).toEqual(
    slices.projectors.map((each) => ({ projector: each.name, version: each.version, checkpoint: position, lag: 0, parkedStreams: [] })),
  );
});

test('then it follows: whoever waits for a position reads what was written there', async () => {
  await runner.start(slices.projectors);
  const first = await append(started);
  expect(await runner.saved.waitFor(first, WAIT_MS)).toBe(true);
  expect(await name()).toBe('Low tide');
  const history = renamed(started, 'High tide');
  const second = await append(history, started.events.length);
  expect(await runner.saved.waitFor(second, WAIT_MS)).toBe(true);
  expect(await name()).toBe('High tide');
});

test('a position that is not reached in time is said so, and nobody waits once it has stopped', async () => {
  await runner.start(slices.projectors);
  expect(await runner.saved.waitFor(1, 10)).toBe(false);
  const waiting = runner.saved.waitFor(1, WAIT_MS);
  await runner.stop();
  expect(await waiting).toBe(false);
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
  for (const each of slices.projectors) {
    for (const collection of each.collections) await ground.documents.drop(`${collection.name}_v${each.version}`, `${each.name}_v${each.version}`);
  }
  runner = ground.projections();
  await runner.start(slices.projectors);
  expect(await everything()).toEqual(before);
});

test('read models of another log are built anew', async () => {
  await append(started);
  await runner.start(slices.projectors);
  await runner.stop();
  await ground.documents.setFact('log', 'another log');
  await ground.documents.save({
    projector: 'projects_v1',
    checkpoint: 900,
    writes: [
      { collection: 'projects_v1', id: 'stranger', body: { projectName: 'Not ours' }, position: 900 },
      { collection: 'projects_v1', id: PROJECT_ID, body: { projectName: 'Not ours' }, position: 900 },
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
    expect(await runner.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect([await wordsOf('p1'), await wordsOf('p2')]).toEqual([{ words: ['Low tide'] }, { words: ['Low tide', 'fine'] }]);
    expect(await name()).toBe('after');
    expect((await runner.status())[0]).toEqual({ projector: 'words', version: 1, checkpoint: position, lag: 0, parkedStreams: [projectStream(PROJECT_ID)] });
  });

  test('still knows after a restart, and forgets when it is built anew', async () => {
    await append(bad);
    await runner.start([words(() => false)]);
    await runner.stop();
    await append(renamed(bad, 'much later'), bad.events.length);
    runner = ground.projections();
    await runner.start([words(() => true)]);
    expect(await wordsOf('p1')).toEqual({ words: ['Low tide'] });
    expect((await runner.status())[0]?.parkedStreams).toEqual([projectStream(PROJECT_ID)]);
    await runner.stop();
    await ground.documents.setFact('log', 'another log');
    runner = ground.projections();
    await runner.start([words(() => true)]);
    expect(await wordsOf('p1')).toEqual({ words: ['Low tide', 'unspeakable', 'after', 'much later'] });
  });
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
  runner = new ProjectionRunner(ground.store, crowded, new ReadModels(crowded), ground.opened, {
    info: () => undefined,
    error: (facts, message) => {
      ground.log.error(facts, message);
      isFull = false;
    },
  });
  await runner.start(slices.projectors);
  isFull = true;
  const position = await append(started);
  expect(await runner.saved.waitFor(position, WAIT_MS)).toBe(true);
  expect(ground.said.map(({ message }) => message)).toEqual(['projections failed, trying again']);
  expect((await runner.status()).map((each) => each.checkpoint)).toEqual(slices.projectors.map(() => position));
});
