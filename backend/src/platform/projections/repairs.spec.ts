import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Upcaster } from '../../kernel/upcast.js';
import { slices } from '../../slices.js';
import { ProjectionsFixture, renamed, started, until } from '../../testing/projections-fixture.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { documentsOf, foldedBy } from '../../testing/projected-documents.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { ProjectionRunner } from './projection-runner.js';
import { appendNext } from '../../testing/append-next.js';

let given: ProjectionsFixture;
/** The event type that only a later program knows. */
const upcaster: Upcaster = { from: 'FromTheFuture', to: 'ProjectCompletionChanged', classes: {}, change: () => ({ from: false, to: true }) };

beforeEach(async () => {
  given = await ProjectionsFixture.open();
});
afterEach(() => given.close());

/** Appends an event that today's program does not know. */
async function unknown(projectId: string): Promise<number> {
  const meta = { actorUid: 'ana', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
  return (await appendNext(given.testStores.store, projectStream(projectId), [{ id: randomUUID(), type: 'FromTheFuture', data: {}, meta }])).position;
}

/** A later version of the program, on the same data. */
function newProgram(): ProjectionRunner {
  const opened = new OpenedEvents(given.testStores.sealer, [...slices.upcasters, upcaster]);
  return new ProjectionRunner({ ...given.testStores.projections().deps, opened });
}

const status = async () => (await given.runner.status()).map(({ generation, rebuild, parkedStreams }) => ({ generation, rebuild, parkedStreams }));
const project = () => given.testStores.reads.get<{ projectName: string; completed: boolean }>('projects', PROJECT_ID);

test('a stream parked by an old program for an unknown event is complete once a program that knows the event has started', async () => {
  await given.runner.start(slices.projectors);
  await given.append(started);
  await unknown(PROJECT_ID);
  const history = renamed(started, 'after').withComment('c2', { by: 'bob' });
  await given.append(history, started.events.length, started.events.length);
  await until(async () => (await status()).every(({ parkedStreams }) => parkedStreams.length === 1));
  await given.runner.stop();
  given.runner = newProgram();
  await given.runner.start(slices.projectors);
  await until(async () => (await status()).every(({ generation, rebuild }) => generation === 2 && rebuild === null));
  expect(await status()).toEqual(slices.projectors.map(() => ({ generation: 2, rebuild: null, parkedStreams: [] })));
  expect(await project()).toMatchObject({ projectName: 'after', completed: true });
  expect(await given.testStores.reads.isParked('projects', projectStream(PROJECT_ID))).toBe(false);
  const events = await given.runner.deps.opened.open(await given.testStores.store.readAll({ after: 0 }));
  const { documents } = given.testStores;
  expect(await Promise.all(slices.projectors.map((each) => documentsOf(documents, each, events, 2)))).toEqual(
    await Promise.all(slices.projectors.map((each) => foldedBy(given.testStores, each, events))),
  );
});

test('the old documents stay readable while a repair rebuilds them', async () => {
  await given.append(started);
  await unknown(PROJECT_ID);
  await given.runner.start(slices.projectors);
  await given.runner.stop();
  given.runner = newProgram();
  await given.runner.start(slices.projectors);
  const { reads } = given.runner.deps;
  const seen = new Set<string | undefined>();
  await until(async () => {
    seen.add((await project())?.projectName);
    return !(await reads.isParked('projects', projectStream(PROJECT_ID)));
  });
  expect([[...seen], (await project())?.completed]).toEqual([['Low tide'], true]);
});

test('a program that does not know the event either rebuilds nothing, however often it starts', async () => {
  await given.append(started);
  const position = await unknown(PROJECT_ID);
  await given.append(aProject('p2').ownedBy('bob'));
  await given.runner.start(slices.projectors);
  for (let times = 0; times < 2; times += 1) await given.restarted();
  const parkedStreams = [{ stream: projectStream(PROJECT_ID), position, type: 'FromTheFuture', reason: 'unknown-type' }];
  expect(await status()).toEqual(slices.projectors.map(() => ({ generation: 1, rebuild: null, parkedStreams })));
});

test('a rebuild in which an old program skipped events starts again once they can be read', async () => {
  await given.append(started);
  await unknown(PROJECT_ID);
  await given.runner.start(slices.projectors);
  await Promise.all([given.runner.rebuild('projects'), given.runner.stop()]);
  given.runner = newProgram();
  await given.runner.start(slices.projectors);
  await until(async () => (await status()).every(({ rebuild }) => rebuild === null));
  expect((await status()).flatMap(({ parkedStreams }) => parkedStreams)).toEqual([]);
  expect(await project()).toMatchObject({ completed: true });
});
