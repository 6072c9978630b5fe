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
import { ServiceUnavailable } from '../store-errors.js';
import { StreamFolds } from '../streams/stream-folds.js';
import { Timers } from '../timers/timers.js';
import { compareFolds, foldBy } from './compare-folds.js';
import { slices } from '../../slices.js';
import { moveInstallation, type MoveTarget } from './move-installation.js';
import { MoveRefused } from './move-options.js';
import { markMoved, refuseMoved } from './moved-mark.js';
import { MovedPositions } from './moved-positions.js';
import { ROTATIONS } from './unfinished-work.js';
import { appendNext } from '../../testing/append-next.js';

const KEY = 'a-master-key-that-is-long-enough';
const STREAM = projectStream(PROJECT_ID);
const FILE = 'ana/ProjectMediaFiles/p1/v1/1_0-a.wav';

let source: TestStores;
let target: TestStores;
let reported: string[];

beforeEach(async () => {
  source = await openTestStores();
  target = await openTestStores();
  reported = [];
  await VaultKeys.open(source.vault, masterKeyFrom(KEY));
});
afterEach(async () => {
  await source.close();
  await target.close();
});

const from = () => ({ eventStore: source.store, vaultFile: join(source.folder, 'vault.db'), blobs: source.blobs });
const to = (): MoveTarget => ({ eventStore: target.store, vault: target.vault, blobs: target.blobs, bucket: 'the-bucket' });
const signal = new AbortController().signal;
const move = (into = to(), settle: () => Promise<void> = () => Promise.resolve(), masterKey = KEY) =>
  moveInstallation(from(), into, { masterKey, recordKinds: slices.recordKinds, settle, signal, report: (line) => reported.push(line) });

/** Writes two streams whose events alternate. */
async function fill(): Promise<void> {
  const { events } = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob').withComment('c1').withRegion('r1');
  for (const [at, { type, data, meta }] of events.entries()) {
    await source.store.append(STREAM, at === 0 ? 'none' : at - 1, [{ id: randomUUID(), type, data, meta }]);
    const seen = { actorUid: 'ana', at, commandId: `k${at}`, correlationId: 'k', causationId: null };
    await appendNext(
      source.store,
      'user-ana',
      ['Seen', 'Said'].map((each) => ({ id: randomUUID(), type: each, data: { at }, meta: seen })),
    );
  }
  await source.blobs.write(FILE, Buffer.from('RIFF'));
  await source.blobs.write('uploads/u1', Buffer.from('half'));
}
const eventsOf = async ({ store }: TestStores) => (await store.readAll({ after: 0 })).map((event) => ({ ...event, position: 0 }));

describe('moving an installation', () => {
  test('copies every event in order, every record and every file', async () => {
    await fill();
    await source.vault.declare({ name: 'sessions', indexes: ['uid'] });
    await source.vault.put('sessions', 's1', { uid: 'ana' });
    const { log, files } = await move();
    expect(await eventsOf(target)).toEqual(await eventsOf(source));
    expect(log.events).toBe((await eventsOf(source)).length);
    expect(log.streams).toEqual(new Set([STREAM, 'user-ana']));
    await target.vault.declare({ name: 'sessions', indexes: ['uid'] });
    expect(await target.vault.find('sessions', { field: 'uid', value: 'ana' })).toMatchObject([{ id: 's1', body: { uid: 'ana' } }]);
    expect(files).toEqual({ files: 1, bytes: 4 });
    expect(await target.blobs.list('')).toEqual([FILE]);
    await expect(VaultKeys.open(target.vault, masterKeyFrom(KEY))).resolves.toBeDefined();
    expect(target.store.identity).not.toBe(source.store.identity);
  });

  test('is refused while the master key is being rotated', async () => {
    await fill();
    await source.vault.declare({ name: ROTATIONS.name });
    await source.vault.put(ROTATIONS.name, ROTATIONS.id, { wrapped: 'x' });
    await expect(move()).rejects.toThrow('the rotation of the master key is unfinished');
    expect(await eventsOf(target)).toEqual([]);
  });

  test('translates the positions in records to the target log', async () => {
    const other = { id: randomUUID(), type: 'Other', data: {}, meta: { actorUid: 'ana', at: 0, commandId: 'k', correlationId: 'k', causationId: null } };
    const { position } = await source.store.append('user-ana', 'none', [other]);
    await fill();
    const parked = await ParkedReactions.open(source.vault);
    await parked.park('notify', { position: position + 3, stream: STREAM, type: 'Other', reason: 'reaction' });
    await (await Timers.open(source.vault)).set({ kind: 'remind', key: 't1', at: 1, data: { position: 'p1' }, position: position + 3 });
    const positions = new MovedPositions();
    [1, 2, 5].forEach((each) => positions.add(each, each * 100));
    expect([0, 1, 2, 4, 5, 9].map((each) => positions.of(each))).toEqual([0, 100, 200, 200, 500, 500]);
    const { log } = await move();
    expect(await (await ParkedReactions.open(target.vault)).of('notify')).toMatchObject([{ position: log.positions.of(position + 3) }]);
    const [timer] = await (await Timers.open(target.vault)).upcoming('remind', 2);
    expect(timer?.body).toMatchObject({ key: 't1', at: 1, data: { position: 'p1' }, position: log.positions.of(position + 3) });
  });

  test('continues after an interruption, and cannot be repeated once it is complete', async () => {
    await fill();
    let appends = 0;
    const failing = new Proxy(target.store, {
      get(store, name) {
        const member: unknown = Reflect.get(store, name);
        if (name === 'append' && (appends += 1) > 3) return () => Promise.reject(new ServiceUnavailable('cut'));
        return typeof member === 'function' ? (member.bind(store) as unknown) : member;
      },
    });
    await expect(move({ ...to(), eventStore: failing })).rejects.toThrow('cut');
    expect((await eventsOf(target)).length).toBeGreaterThan(2);
    await expect(move(to(), () => Promise.reject(new ServiceUnavailable('cut later')))).rejects.toThrow('cut later');
    await move();
    expect(await eventsOf(target)).toEqual(await eventsOf(source));
    await expect(move()).rejects.toThrow('this log has already been moved');
  });
});

describe('an interrupted or disturbed move', () => {
  test('removes from the target what was deleted from the source after the interruption', async () => {
    await fill();
    for (const name of ['data-keys', 'leases']) {
      await source.vault.declare({ name });
      await source.vault.put(name, 'user-bob', { wrapped: 'x' });
    }
    await expect(move(to(), () => Promise.reject(new ServiceUnavailable('cut')))).rejects.toThrow('cut');
    expect(await target.vault.get('data-keys', 'user-bob')).not.toBeNull();
    await target.vault.declare({ name: 'leases' });
    expect(await target.vault.get('leases', 'user-bob')).toBeNull();
    await source.vault.remove('data-keys', 'user-bob');
    await source.blobs.remove(FILE);
    await move();
    expect(await target.vault.get('data-keys', 'user-bob')).toBeNull();
    expect(await target.blobs.list('')).toEqual([]);
  });

  test('continues only into the same stores', async () => {
    await fill();
    await expect(move(to(), () => Promise.reject(new ServiceUnavailable('cut')))).rejects.toThrow('cut');
    await expect(move({ ...to(), bucket: 'elsewhere' })).rejects.toThrow(new MoveRefused('S3_BUCKET: this move began with the-bucket'));
    await expect(move({ ...to(), eventStore: source.store })).rejects.toThrow(new MoveRefused('EVENTSTORE_URL: this move began with another target log'));
  });

  test('is refused if another program writes to the target log', async () => {
    await fill();
    const meta = { actorUid: 'bob', at: 0, commandId: 'k', correlationId: 'k', causationId: null };
    let isWritten = false;
    const shared = new Proxy(target.store, {
      get(store, name) {
        const member: unknown = Reflect.get(store, name);
        if (name !== 'append') return typeof member === 'function' ? (member.bind(store) as unknown) : member;
        return async (...args: Parameters<typeof store.append>) => {
          if (!isWritten) await store.append('user-ana', 'none', [{ id: randomUUID(), type: 'Other', data: {}, meta }]);
          isWritten = true;
          return store.append(...args);
        };
      },
    });
    await expect(move({ ...to(), eventStore: shared })).rejects.toThrow('another program writes to the target log: user-ana is at revision 0');
  });

  test('is refused if the target log contains events, and leaves them', async () => {
    await fill();
    await target.store.append('user-bob', 'none', [
      { id: randomUUID(), type: 'Other', data: {}, meta: { actorUid: 'bob', at: 0, commandId: 'k', correlationId: 'k', causationId: null } },
    ]);
    await expect(move()).rejects.toThrow(new MoveRefused('EVENTSTORE_URL: the target log already contains events'));
    expect(await eventsOf(target)).toHaveLength(1);
  });

  test('is refused with another master key, and into a vault in use', async () => {
    await fill();
    await expect(move(to(), undefined, 'another-master-key-long-enough')).rejects.toThrow('MASTER_KEY: not the key of this data folder');
    await VaultKeys.open(target.vault, masterKeyFrom(KEY));
    await expect(move()).rejects.toThrow('MONGO_URL: the target vault already belongs to an installation');
  });

  test('is refused if a stream folds to a different state on the target', async () => {
    await fill();
    await move();
    const both = { from: new StreamFolds(source.store, source.opened), to: new StreamFolds(target.store, source.opened) };
    const foldOf = (stream: string) => (stream === STREAM ? foldBy(projectDecider) : null);
    const streams = [STREAM, 'user-ana'];
    expect(await compareFolds(streams, both, { foldOf, signal })).toBe(1);
    const revision = (await target.store.readStream(STREAM)).length - 1;
    const meta = { actorUid: 'ana', at: 1, commandId: 'late', correlationId: 'late', causationId: null };
    await target.store.append(STREAM, revision, [{ id: randomUUID(), type: 'ProjectLeft', data: { uid: 'bob' }, meta }]);
    const later = { ...both, to: new StreamFolds(target.store, source.opened) };
    await expect(compareFolds(streams, later, { foldOf, signal })).rejects.toThrow(new MoveRefused(`${STREAM} folds to a different state on the target`));
  });
});

test('a data folder that was moved is not opened', async () => {
  expect(() => refuseMoved(source.folder)).not.toThrow();
  await markMoved(source.folder, 'Moved.');
  expect(() => refuseMoved(source.folder)).toThrow('this data was moved to other servers');
});
