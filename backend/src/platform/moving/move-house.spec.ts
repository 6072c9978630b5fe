import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { projectDecider } from '../../projects/project.decider.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { masterKeyFrom } from '../auth/secrets.js';
import { VaultKeys } from '../auth/vault-keys.js';
import { ParkedReactions } from '../reactors/parked-reactions.js';
import { StoreAway } from '../store-errors.js';
import { StreamFolds } from '../streams/stream-folds.js';
import { Timers } from '../timers/timers.js';
import { compareFolds, foldBy } from './compare-folds.js';
import { slices } from '../../slices.js';
import { moveHouse, type NewHouse } from './move-house.js';
import { MoveRefused } from './move-work.js';
import { markMoved, refuseMoved } from './moved-mark.js';
import { MovedPositions } from './moved-positions.js';
import { appendNext } from '../../testing/append-next.js';

const KEY = 'a-master-key-that-is-long-enough';
const STREAM = projectStream(PROJECT_ID);
const FILE = 'ana/ProjectMediaFiles/p1/v1/1_0-a.wav';

let here: TestStores;
let there: TestStores;
let told: string[];

beforeEach(async () => {
  here = await openTestStores();
  there = await openTestStores();
  told = [];
  await VaultKeys.open(here.vault, masterKeyFrom(KEY));
});
afterEach(async () => {
  await here.close();
  await there.close();
});

const from = () => ({ eventStore: here.store, vaultFile: join(here.folder, 'vault.db'), blobs: here.blobs });
const to = (): NewHouse => ({ eventStore: there.store, vault: there.vault, blobs: there.blobs, bucket: 'there' });
const signal = new AbortController().signal;
const move = (house = to(), settle: () => Promise<void> = () => Promise.resolve(), masterKey = KEY) =>
  moveHouse(from(), house, { masterKey, recordKinds: slices.recordKinds, settle, signal, report: (line) => told.push(line) });

/** Two streams whose events follow each other in turn, as people write them. */
async function fill(): Promise<void> {
  const { events } = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob').withComment('c1').withRegion('r1');
  for (const [at, { type, data, meta }] of events.entries()) {
    await here.store.append(STREAM, at === 0 ? 'none' : at - 1, [{ id: randomUUID(), type, data, meta }]);
    const seen = { actorUid: 'ana', at, commandId: `k${at}`, correlationId: 'k', causationId: null };
    await appendNext(
      here.store,
      'user-ana',
      ['Seen', 'Said'].map((each) => ({ id: randomUUID(), type: each, data: { at }, meta: seen })),
    );
  }
  await here.blobs.write(FILE, Buffer.from('RIFF'));
  await here.blobs.write('uploads/u1', Buffer.from('half'));
}
const eventsOf = async ({ store }: TestStores) => (await store.readAll({ after: 0 })).map((event) => ({ ...event, position: 0 }));

describe('moving house', () => {
  test('brings every event in its order, every record and every file', async () => {
    await fill();
    await here.vault.declare({ name: 'sessions', indexes: ['uid'] });
    await here.vault.put('sessions', 's1', { uid: 'ana' });
    const { log, files } = await move();
    expect(await eventsOf(there)).toEqual(await eventsOf(here));
    expect(log.events).toBe((await eventsOf(here)).length);
    expect(log.streams).toEqual(new Set([STREAM, 'user-ana']));
    await there.vault.declare({ name: 'sessions', indexes: ['uid'] });
    expect(await there.vault.find('sessions', { field: 'uid', value: 'ana' })).toMatchObject([{ id: 's1', body: { uid: 'ana' } }]);
    expect(files).toEqual({ files: 1, bytes: 4 });
    expect(await there.blobs.list('')).toEqual([FILE]);
    await expect(VaultKeys.open(there.vault, masterKeyFrom(KEY))).resolves.toBeDefined();
    expect(there.store.identity).not.toBe(here.store.identity);
  });

  test('what follows from an event says its place in the other log', async () => {
    const stranger = { id: randomUUID(), type: 'Other', data: {}, meta: { actorUid: 'ana', at: 0, commandId: 'k', correlationId: 'k', causationId: null } };
    const { position } = await here.store.append('user-ana', 'none', [stranger]);
    await fill();
    const parked = await ParkedReactions.open(here.vault);
    await parked.park('tell', { position: position + 3, stream: STREAM, type: 'Other', reason: 'reaction' });
    await (await Timers.open(here.vault)).set({ kind: 'remind', key: 't1', at: 1, data: { position: 'p1' }, position: position + 3 });
    const positions = new MovedPositions();
    [1, 2, 5].forEach((each) => positions.add(each, each * 100));
    expect([0, 1, 2, 4, 5, 9].map((each) => positions.of(each))).toEqual([0, 100, 200, 200, 500, 500]);
    const { log } = await move();
    expect(await (await ParkedReactions.open(there.vault)).of('tell')).toMatchObject([{ position: log.positions.of(position + 3) }]);
    const [timer] = await (await Timers.open(there.vault)).upcoming('remind', 2);
    expect(timer?.body).toMatchObject({ key: 't1', at: 1, data: { position: 'p1' }, position: log.positions.of(position + 3) });
  });

  test('cut off it goes on where it was, and happens once', async () => {
    await fill();
    let appends = 0;
    const cutOff = new Proxy(there.store, {
      get(store, name) {
        const member: unknown = Reflect.get(store, name);
        if (name === 'append' && (appends += 1) > 3) return () => Promise.reject(new StoreAway('cut'));
        return typeof member === 'function' ? (member.bind(store) as unknown) : member;
      },
    });
    await expect(move({ ...to(), eventStore: cutOff })).rejects.toThrow('cut');
    expect((await eventsOf(there)).length).toBeGreaterThan(2);
    await expect(move(to(), () => Promise.reject(new StoreAway('cut later')))).rejects.toThrow('cut later');
    await move();
    expect(await eventsOf(there)).toEqual(await eventsOf(here));
    await expect(move()).rejects.toThrow('this log was moved there already');
  });
});

describe('a move that was cut off or disturbed', () => {
  test('what was removed here after a move was cut off does not stay there', async () => {
    await fill();
    for (const name of ['data-keys', 'leases']) {
      await here.vault.declare({ name });
      await here.vault.put(name, 'user-bob', { wrapped: 'x' });
    }
    await expect(move(to(), () => Promise.reject(new StoreAway('cut')))).rejects.toThrow('cut');
    expect(await there.vault.get('data-keys', 'user-bob')).not.toBeNull();
    await there.vault.declare({ name: 'leases' });
    expect(await there.vault.get('leases', 'user-bob')).toBeNull();
    await here.vault.remove('data-keys', 'user-bob');
    await here.blobs.remove(FILE);
    await move();
    expect(await there.vault.get('data-keys', 'user-bob')).toBeNull();
    expect(await there.blobs.list('')).toEqual([]);
  });

  test('one that was cut off goes on into the same places alone', async () => {
    await fill();
    await expect(move(to(), () => Promise.reject(new StoreAway('cut')))).rejects.toThrow('cut');
    await expect(move({ ...to(), bucket: 'elsewhere' })).rejects.toThrow(new MoveRefused('S3_BUCKET: this move began with there'));
    await expect(move({ ...to(), eventStore: here.store })).rejects.toThrow(new MoveRefused('EVENTSTORE_URL: this move began with another log there'));
  });

  test('whoever writes to the log there meanwhile is told', async () => {
    await fill();
    const meta = { actorUid: 'bob', at: 0, commandId: 'k', correlationId: 'k', causationId: null };
    let isWritten = false;
    const shared = new Proxy(there.store, {
      get(store, name) {
        const member: unknown = Reflect.get(store, name);
        if (name !== 'append') return typeof member === 'function' ? (member.bind(store) as unknown) : member;
        return async (...asked: Parameters<typeof store.append>) => {
          if (!isWritten) await store.append('user-ana', 'none', [{ id: randomUUID(), type: 'Other', data: {}, meta }]);
          isWritten = true;
          return store.append(...asked);
        };
      },
    });
    await expect(move({ ...to(), eventStore: shared })).rejects.toThrow('somebody else writes to the log there: user-ana is at revision 0');
  });

  test('what is there already is not touched', async () => {
    await fill();
    await there.store.append('user-bob', 'none', [
      { id: randomUUID(), type: 'Other', data: {}, meta: { actorUid: 'bob', at: 0, commandId: 'k', correlationId: 'k', causationId: null } },
    ]);
    await expect(move()).rejects.toThrow(new MoveRefused('EVENTSTORE_URL: the log there holds events already'));
    expect(await eventsOf(there)).toHaveLength(1);
  });

  test('another master key, another vault, another bucket are refused', async () => {
    await fill();
    await expect(move(to(), undefined, 'another-master-key-long-enough')).rejects.toThrow('MASTER_KEY: not the key of what is to be moved');
    await VaultKeys.open(there.vault, masterKeyFrom(KEY));
    await expect(move()).rejects.toThrow('MONGO_URL: the vault there belongs to an installation already');
  });

  test('a stream that folds to another state there is told', async () => {
    await fill();
    await move();
    const both = { from: new StreamFolds(here.store, here.opened), to: new StreamFolds(there.store, here.opened) };
    const foldOf = (stream: string) => (stream === STREAM ? foldBy(projectDecider) : null);
    const streams = [STREAM, 'user-ana'];
    expect(await compareFolds(streams, both, { foldOf, signal })).toBe(1);
    const revision = (await there.store.readStream(STREAM)).length - 1;
    const meta = { actorUid: 'ana', at: 1, commandId: 'late', correlationId: 'late', causationId: null };
    await there.store.append(STREAM, revision, [{ id: randomUUID(), type: 'ProjectLeft', data: { uid: 'bob' }, meta }]);
    const later = { ...both, to: new StreamFolds(there.store, here.opened) };
    await expect(compareFolds(streams, later, { foldOf, signal })).rejects.toThrow(new MoveRefused(`${STREAM} folds to another state there`));
  });
});

test('a data folder whose log lives on elsewhere is not opened', async () => {
  expect(() => refuseMoved(here.folder)).not.toThrow();
  await markMoved(here.folder, 'Moved.');
  expect(() => refuseMoved(here.folder)).toThrow('what lies here was moved to other servers');
});
