import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Decider, Stored } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import { upcastWith } from '../../kernel/upcast.js';
import { projectDecider } from '../../projects/project.decider.js';
import { slices } from '../../slices.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { storedSamples } from '../../testing/stored-samples.js';
import { withOverride } from '../../testing/temporary-vault.js';
import { userDecider } from '../../users/user.decider.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { ServiceUnavailable } from '../store-errors.js';
import { EventsMissing } from './folded-stream.js';
import { Snapshots } from './snapshots.js';
import { StreamFolds } from './stream-folds.js';

const STREAM = projectStream(PROJECT_ID);
const EVENTS = 600;
const COLLECTION = 'snapshots';
const KEY = `project/${STREAM}`;
const samples = storedSamples().map(upcastWith(slices.upcasters));

/** A stored fold must be the same to every rule, maps without a prototype included. */
function expectSurvival<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, events: readonly Stored<Event>[]): void {
  let state = decider.initial();
  for (const event of [null, ...events]) {
    if (event !== null) state = decider.evolve(state, event);
    const json: unknown = JSON.parse(JSON.stringify(state));
    expect(decider.thaw?.(json) ?? json).toStrictEqual(state);
  }
}

describe('a state that went through JSON is the same', () => {
  test('for projects, after every sample', () => expectSurvival(projectDecider, samples.filter(({ stream }) => stream.startsWith('project-')) as never[]));

  test('for people, after every sample', () => expectSurvival(userDecider, samples.filter(({ stream }) => stream.startsWith('user-')) as never[]));

  test('with ids that are property names of every object', () => {
    expectSurvival(projectDecider, aProject().ownedBy('ana').withVersion('v1').sharedWith('valueOf').withComment('__proto__').withRegion('toString').events);
  });
});

let testStores: TestStores;
let snapshots: Snapshots;
let reads: number[];

/** The log, telling from which revisions it was read. */
const told = (): EventStore =>
  new Proxy<EventStore>(testStores.store, {
    get(store, name) {
      const member: unknown = Reflect.get(store, name);
      if (name !== 'readStream') return typeof member === 'function' ? (member.bind(store) as unknown) : member;
      return (stream: string, options: { from?: number }) => {
        reads.push(options.from ?? 0);
        return store.readStream(stream, options);
      };
    },
  });
const cold = (from: Snapshots | null) => new StreamFolds(told(), testStores.opened, from);
const whole = () => cold(null).current(projectDecider, STREAM);
const reopened = (identity = testStores.store.identity, fold = 'this fold') => Snapshots.open(testStores.documents, identity, testStores.log, { fold });

beforeEach(async () => {
  testStores = await openTestStores();
  reads = [];
  let history = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob').withRegion('r1');
  while (history.events.length < 60) history = history.withComment(`c${history.events.length}`, { by: 'bob', tags: ['r1'] });
  const sealed = await Promise.all(history.events.map((event) => testStores.sealer.seal(STREAM, event)));
  for (let at = 0; at < EVENTS; at += sealed.length) {
    await testStores.store.append(
      STREAM,
      at === 0 ? 'none' : at - 1,
      at === 0 ? sealed : await Promise.all(sealed.map((_, nth) => testStores.sealer.seal(STREAM, comment(at + nth)))),
    );
  }
  snapshots = await reopened();
  await cold(snapshots).current(projectDecider, STREAM);
  await snapshots.settled();
  reads = [];
});
afterEach(async () => {
  await snapshots.close();
  await testStores.close();
});

const comment = (at: number) => {
  const [event] = aProject().ownedBy('ana').withComment(`late-${at}`, { by: 'bob' }).events.slice(-1);
  if (event === undefined) throw new Error('no event');
  return { ...event, id: randomUUID(), meta: { ...event.meta, commandId: `late-${at}` } };
};

const damage = async (change: (body: Readonly<Record<string, unknown>>) => Record<string, unknown> | null, id = `${KEY}/0/0`) => {
  const body = (await testStores.documents.get(COLLECTION, id)) ?? {};
  const position = (await testStores.store.head()) + 1;
  await testStores.documents.save({ projector: COLLECTION, checkpoint: position, writes: [{ collection: COLLECTION, id, body: change(body), position }] });
};
const text = (body: Readonly<Record<string, unknown>>): string => String(body.text);

describe('the fold of a long stream', () => {
  test('starts at the snapshot when the stream is cold, and gives the same state', async () => {
    const fold = await cold(await reopened()).current(projectDecider, STREAM);
    expect(reads).toEqual([EVENTS - 1, EVENTS]);
    const { keptRevision: _kept, ...full } = await whole();
    expect(fold).toStrictEqual({ ...full, keptRevision: EVENTS - 1 });
    expect(full.commands.size).toBe(257);
  });

  test('a snapshot is stored on shutdown, so the next start reads little', async () => {
    const folds = cold(snapshots);
    await folds.current(projectDecider, STREAM);
    const more = await Promise.all(Array.from({ length: 100 }, (_, at) => testStores.sealer.seal(STREAM, comment(EVENTS + at))));
    await testStores.store.append(STREAM, EVENTS - 1, more);
    await folds.current(projectDecider, STREAM);
    folds.keepForNextStart();
    await snapshots.close();
    expect((await cold(await reopened()).current(projectDecider, STREAM)).keptRevision).toBe(EVENTS + 99);
  });

  test('the next snapshot is stored only after five hundred more events', async () => {
    const folds = cold(await reopened());
    const fold = await folds.current(projectDecider, STREAM);
    for (let more = 0; more < 499; more += 100) {
      const events = await Promise.all(
        Array.from({ length: Math.min(100, 499 - more) }, (_, at) => testStores.sealer.seal(STREAM, comment(EVENTS + more + at))),
      );
      await testStores.store.append(STREAM, EVENTS + more - 1, events);
    }
    await folds.current(projectDecider, STREAM);
    await testStores.store.append(STREAM, EVENTS + 498, [await testStores.sealer.seal(STREAM, comment(9_000))]);
    expect(fold.keptRevision).toBe(EVENTS - 1);
    await folds.current(projectDecider, STREAM);
    expect(fold.keptRevision).toBe(EVENTS + 499);
  });
});

describe('a snapshot', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['is deleted', () => snapshots.dropAll()],
    ['has a flipped letter', () => damage((body) => ({ text: text(body).replace('Louder', 'Lauder') }))],
    ['lost a piece', () => damage(() => null)],
    ['is cut', () => damage((body) => ({ text: text(body).slice(0, -1) }))],
    ['was folded by other code', async () => (await reopened(undefined, 'another fold')).close()],
    ['is of another shape', () => damage(() => ({ nothing: true }), KEY)],
    ['is of another log', async () => (await reopened('another')).close()],
  ])('that %s is ignored', async (_what, spoil) => {
    await spoil();
    const spoilt = await reopened();
    const { keptRevision: _kept, ...fold } = await cold(spoilt).current(projectDecider, STREAM);
    const { keptRevision: _none, ...full } = await whole();
    expect(reads[0]).toBe(0);
    expect(fold).toStrictEqual(full);
    await spoilt.close();
    expect((await cold(await reopened()).current(projectDecider, STREAM)).keptRevision).toBe(EVENTS - 1);
  });

  test('that ends where the log has another event, or none, is ignored', async () => {
    const loaded = await snapshots.load(projectDecider, STREAM);
    const kept = { commands: [], state: loaded?.state, lastEventId: loaded?.lastEventId };
    for (const revision of [EVENTS - 3, EVENTS + 7]) {
      const fold = {
        ...kept,
        revision,
        position: 9_999 + revision,
        keptRevision: -1,
        stream: STREAM,
        commands: new Map(),
        lastEventId: kept.lastEventId ?? '',
        lastAt: 0,
      };
      snapshots.offer(projectDecider, fold);
      await snapshots.settled();
      reads = [];
      const { keptRevision: _kept, ...read } = await cold(await reopened()).current(projectDecider, STREAM);
      const { keptRevision: _none, ...full } = await whole();
      expect(reads.slice(0, 2)).toEqual([revision, 0]);
      expect(read).toStrictEqual(full);
    }
  });
});

test('a short outage of the store loses no snapshot', async () => {
  const answer = { is: false };
  const away = new Proxy<DocumentStore>(testStores.documents, {
    get(documents, name) {
      const member: unknown = Reflect.get(documents, name);
      if (name === 'load' && !answer.is) return () => Promise.reject(new ServiceUnavailable('frozen'));
      return typeof member === 'function' ? (member.bind(documents) as unknown) : member;
    },
  });
  const frozen = await Snapshots.open(away, testStores.store.identity, testStores.log, { fold: 'this fold' });
  expect(await frozen.load(projectDecider, STREAM)).toBeNull();
  await frozen.settled();
  answer.is = true;
  expect((await frozen.load(projectDecider, STREAM))?.revision).toBe(EVENTS - 1);
  expect(testStores.logged).toMatchObject([{ level: 'error', message: 'a snapshot could not be read: the stream is folded from its first event' }]);
  await frozen.close();
});

describe('after an update that changes a fold', () => {
  test('old snapshots are not read, and the first command stores a new one', async () => {
    const changed = await reopened(undefined, 'changed fold');
    await cold(changed).current(projectDecider, STREAM);
    expect(reads[0]).toBe(0);
    await changed.settled();
    reads = [];
    expect((await cold(changed).current(projectDecider, STREAM)).keptRevision).toBe(EVENTS - 1);
    expect(reads[0]).toBe(EVENTS - 1);
    await changed.close();
  });

  test('a snapshot that the old program stores meanwhile is not read by the new one', async () => {
    const changed = await reopened(undefined, 'changed fold');
    await cold(snapshots).current(projectDecider, STREAM);
    await snapshots.settled();
    reads = [];
    expect(await snapshots.load(projectDecider, STREAM)).not.toBeNull();
    expect(await changed.load(projectDecider, STREAM)).toBeNull();
    await changed.close();
  });
});

test('destroying a key drops all snapshots, and all folds in memory', async () => {
  const folds = cold(snapshots);
  expect((await folds.current(projectDecider, STREAM)).state.projectName).toBe('Low tide');
  await testStores.dataKeys.destroy(STREAM);
  await folds.forgetAll();
  expect(await testStores.documents.get(COLLECTION, KEY)).toBeNull();
  expect((await folds.current(projectDecider, STREAM)).state.projectName).toBe('');
});

describe('a stream that was truncated on its server', () => {
  const trimmed = (first: number): EventStore =>
    withOverride(testStores.store, 'readStream', async (stream: string, { from = 0, limit }: { from?: number; limit?: number } = {}) => {
      const events = await testStores.store.readStream(stream, { from: Math.max(from, first) });
      return events.slice(0, limit);
    });
  const foldOf = (first: number, from: Snapshots | null) => new StreamFolds(trimmed(first), testStores.opened, from).current(projectDecider, STREAM);

  test('is not folded as if the rest were complete', async () => {
    await expect(foldOf(3, null)).rejects.toThrow(new EventsMissing(STREAM, 0, 3));
    await expect(foldOf(3, null)).rejects.toThrow(`${STREAM} has no events 0 to 2: its next one is 3`);
  });

  test('continues from a snapshot of its end', async () => {
    const { keptRevision: _kept, ...full } = await foldOf(0, null);
    expect(await foldOf(EVENTS - 1, await reopened())).toStrictEqual({ ...full, keptRevision: EVENTS - 1 });
  });
});
