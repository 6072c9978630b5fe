import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SYSTEM } from '../kernel/decider.js';
import { Refused } from '../kernel/refusal.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { StreamFolds } from '../platform/streams/stream-folds.js';
import { type CommandContext, Streams } from '../platform/streams/streams.js';
import { slices } from '../slices.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { PROJECT_ID } from '../testing/project-history.js';
import { type ProjectCommand, ProjectStreams } from './project.streams.js';

const marks = { taggedRegions: [], stamp: null };
const comment = (commentId: string): ProjectCommand => ({
  type: 'AddComment',
  data: { commentId, kind: 'text', content: 'Louder', taggedUsers: [], versionId: null, marks },
});
const create: ProjectCommand = {
  type: 'CreateProject',
  data: { projectId: PROJECT_ID, firstVersionId: 'v1', projectName: 'Low tide', description: '', tinySummary: '', invited: [], message: '' },
};

let stores: TestStores;
let readSide: ReadSide;
let reads: number;
let here: ProjectStreams;
let elsewhere: ProjectStreams;
let made = 0;

const asAna = (commandId = `made-${(made += 1)}`): CommandContext => ({
  actor: { uid: 'ana' },
  at: 1,
  commandId,
  request: 'hash',
  correlationId: 'c',
  causationId: null,
});
/** The streams of a new process whose stream reads are counted. */
const process = (): ProjectStreams => {
  const counted = new Proxy<EventStore>(stores.store, {
    get(store, name) {
      const member: unknown = Reflect.get(store, name);
      if (name === 'readStream') reads += 1;
      return typeof member === 'function' ? (member.bind(store) as unknown) : member;
    },
  });
  return new ProjectStreams(new Streams(counted, new StreamFolds(counted, stores.opened), stores.sealer), readSide);
};
const commentsInLog = async () => (await stores.store.readStream(projectStream(PROJECT_ID))).filter(({ type }) => type === 'CommentAdded').length;

beforeEach(async () => {
  stores = await openTestStores();
  readSide = new ReadSide();
  readSide.serve(Number.MAX_SAFE_INTEGER);
  reads = 0;
  [here, elsewhere] = [process(), process()];
  await here.run(asAna(), PROJECT_ID, create);
});
afterEach(async () => {
  readSide.close();
  await stores.close();
});

test('a command built on demand reads a cached stream once', async () => {
  reads = 0;
  await here.run(asAna(), PROJECT_ID, async () => comment('c1'));
  expect([reads, await commentsInLog()]).toEqual([1, 1]);
});

test('a command that another process executed acts once, even if this process has not read it yet', async () => {
  const context = asAna('key');
  const first = await elsewhere.run(context, PROJECT_ID, comment('c1'));
  const again = await here.run(context, PROJECT_ID, async () => comment('c1'));
  expect(again).toMatchObject({ replayed: true, position: first.position });
  expect(await commentsInLog()).toBe(1);
});

test('a repeated command returns the first result, even if its upload is gone', async () => {
  const context = asAna('key');
  const first = await elsewhere.run(context, PROJECT_ID, comment('c1'));
  const again = await here.run(context, PROJECT_ID, () => Promise.reject(new Refused('upload.not-found')));
  expect(again).toMatchObject({ replayed: true, position: first.position });
});

test('a result recorded by the system is recorded once, without waiting for a read model', async () => {
  const late = new ReadSide(undefined, 50);
  const streams = new ProjectStreams(new Streams(stores.store, new StreamFolds(stores.store, stores.opened), stores.sealer), late);
  const context = asAna('found');
  for (let times = 0; times < 2; times += 1) await streams.record(context, PROJECT_ID, comment('c1'));
  await expect(streams.run(context, PROJECT_ID, comment('c1'))).rejects.toThrow(new Refused('store.away'));
  expect(await commentsInLog()).toBe(1);
  late.close();
});

test("a user's command on a project parked by its read model is refused before any write; a command of the system is not", async () => {
  readSide.track(slices.projectors);
  readSide.serve(Number.MAX_SAFE_INTEGER);
  readSide.parkedBy('projects', new Set([projectStream(PROJECT_ID)]));
  await expect(here.run(asAna(), PROJECT_ID, comment('c1'))).rejects.toThrow(new Refused('stream.unreadable'));
  expect(await commentsInLog()).toBe(0);
  await here.run({ ...asAna(), actor: SYSTEM }, PROJECT_ID, { type: 'RemoveErasedUser', data: { uid: 'ana' } });
  readSide.parkedBy('projects', new Set());
  await expect(here.run(asAna(), PROJECT_ID, comment('c1'))).rejects.toThrow(new Refused('project.not-found'));
});

test("a user's command waits only for the projects read model; a command of the system waits for all", async () => {
  const side = new ReadSide(undefined, 50);
  side.track(slices.projectors);
  const streams = new ProjectStreams(new Streams(stores.store, new StreamFolds(stores.store, stores.opened), stores.sealer), side);
  side.reach('projects', Number.MAX_SAFE_INTEGER);
  const { position } = await streams.run(asAna(), PROJECT_ID, comment('c1'));
  expect([side.saved.position, position]).toEqual([0, await stores.store.head()]);
  await expect(side.waitFor(position, ['comments'])).rejects.toThrow(new Refused('store.away'));
  expect(side.lastWriteOf('ana')).toBe(position);
  await expect(streams.run({ ...asAna(), actor: SYSTEM }, PROJECT_ID, { type: 'RemoveErasedUser', data: { uid: 'ana' } })).rejects.toThrow(
    new Refused('store.away'),
  );
  side.close();
});
