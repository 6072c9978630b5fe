import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { masterKeyFrom } from '../auth/secrets.js';
import { VaultKeys } from '../auth/vault-keys.js';
import { lastRestore } from '../vault/last-restore.js';
import { ServiceUnavailable } from '../store-errors.js';
import { slices } from '../../slices.js';
import { readableTypes } from '../streams/written-types.js';
import { type RestoredInstallation, settleRestored } from './settle-restored.js';
import { refuseUnfinishedWork } from './unfinished-work.js';
import { appendNext } from '../../testing/append-next.js';

const KEY = 'a-master-key-that-is-long-enough';
let testStores: TestStores;
let done: string[];
beforeEach(async () => {
  testStores = await openTestStores();
  done = [];
  await VaultKeys.open(testStores.vault, masterKeyFrom(KEY));
});
afterEach(() => testStores.close());

const installation = (other: Partial<RestoredInstallation> = {}): RestoredInstallation => ({
  eventStore: testStores.store,
  vault: testStores.vault,
  dropReadModels: async () => void done.push('read models'),
  renewIdentity: async ({ id, identity }) => void done.push(`${id} ${identity}`),
  scanLog: async () => ({ behind: 1, ahead: 7 }),
  finish: async () => void done.push('finish'),
  ...other,
});
const options = () => ({
  masterKey: KEY,
  watchMs: 20,
  recordKinds: slices.recordKinds,
  readable: readableTypes(slices),
  clock: () => testStores.time.now,
  signal: new AbortController().signal,
  report: () => undefined,
});
const settle = (other?: Partial<RestoredInstallation>) => settleRestored(installation(other), options());

async function fill(): Promise<number> {
  const meta = { actorUid: 'ana', at: 0, commandId: 'k', correlationId: 'k', causationId: null };
  for (let at = 0; at < 3; at += 1) await appendNext(testStores.store, 'user-ana', [{ id: randomUUID(), type: 'Seen', data: { at }, meta }]);
  const records: readonly (readonly [kind: string, id: string, body: Record<string, unknown>])[] = [
    ['trash', 'of-before', { prefix: 'a', position: 3 }],
    ['trash', 'of-later', { prefix: 'b', position: 4 }],
    ['reactor-checkpoints', 'ahead', { position: 9, by: 'another process' }],
    ['reactor-checkpoints', 'behind', { position: 2, by: 'another process' }],
    ['sessions', 's', { uid: 'ana' }],
    ['leases', 'projector', { fence: 7, released: false }],
    ['accounts', 'ana', { state: 'confirmed' }],
  ];
  for (const [kind, id, body] of records) {
    await testStores.vault.declare({ name: kind });
    await testStores.vault.put(kind, id, body);
  }
  return testStores.store.head();
}

const bodiesOf = async (kind: string) => Object.fromEntries((await testStores.vault.find(kind, {})).map(({ id, body }) => [id, body]));

describe('settling a restored installation', () => {
  test('rolls the vault back to the end of the log, and gives the log a new identity', async () => {
    const position = await fill();
    const settled = await settle();
    expect(settled).toMatchObject({ position, records: { removed: 3, changed: 2 } });
    expect(done).toEqual(['read models', expect.stringMatching(new RegExp(`^[0-9a-f-]{36} ${settled.identity}$`)), 'finish']);
    expect(await bodiesOf('trash')).toEqual({ 'of-before': { prefix: 'a', position: 3 } });
    expect(await bodiesOf('reactor-checkpoints')).toEqual({ ahead: { position: 3 }, behind: { position: 1 } });
    expect([await bodiesOf('sessions'), await bodiesOf('leases')]).toEqual([{}, {}]);
    expect(await bodiesOf('accounts')).toEqual({ ana: { state: 'confirmed' } });
    expect(await lastRestore(testStores.vault)).toBe(testStores.time.now);
    await refuseUnfinishedWork(testStores.vault);
  });

  test('keeps programs from starting after an interruption at any step, then continues with the same identity and end of the log', async () => {
    const position = await fill();
    const cut = (): Promise<void> => Promise.reject(new ServiceUnavailable('cut'));
    for (const where of ['dropReadModels', 'renewIdentity', 'finish'] as const) {
      await expect(settle({ [where]: cut })).rejects.toThrow('cut');
      await expect(refuseUnfinishedWork(testStores.vault)).rejects.toThrow('the restore on these servers is unfinished');
    }
    const meta = { actorUid: null, at: 0, commandId: 'e', correlationId: 'e', causationId: null };
    await appendNext(testStores.store, 'user-bob', [{ id: randomUUID(), type: 'UserErased', data: { uid: 'bob' }, meta }]);
    const settled = await settle();
    expect(settled.position).toBe(position);
    const identities = new Set(done.filter((each) => each.includes(settled.identity)));
    expect(identities.size).toBe(1);
    await refuseUnfinishedWork(testStores.vault);
    expect((await settle()).identity).not.toBe(settled.identity);
  });

  test('is refused while a process is running, and changes nothing', async () => {
    await fill();
    const settling = settleRestored(installation(), { ...options(), watchMs: 5_000 });
    const beat = async (): Promise<void> => {
      for (let fence = 8; done.length === 0; fence += 1, await pause(5)) await testStores.vault.put('leases', 'projector', { fence, released: false });
    };
    const beating = beat();
    await expect(settling).rejects.toThrow('a process builds read models or runs reactors: stop every process first');
    done.push('refused');
    await beating;
    expect(done).toEqual(['refused']);
    await refuseUnfinishedWork(testStores.vault);
  });

  test('is refused with another key, without a log, without a vault, and with another list of erasures', async () => {
    await expect(settle()).rejects.toThrow('EVENTSTORE_URL: the log is empty');
    await fill();
    await expect(settleRestored(installation(), { ...options(), masterKey: 'another-master-key-long-enough' })).rejects.toThrow(
      'MASTER_KEY: not the key of this vault',
    );
    await expect(settle({ scanLog: () => Promise.reject(new Error('another list')) })).rejects.toThrow('another list');
    for (const { id } of await testStores.vault.find('vault-keys', {})) await testStores.vault.remove('vault-keys', id);
    await expect(settle()).rejects.toThrow('MONGO_URL: there is no vault');
    expect(done).toEqual([]);
    expect(Object.keys(await bodiesOf('sessions'))).toEqual(['s']);
  });
});

test('a log that a newer program has written to is not settled, and nothing is changed', async () => {
  await fill();
  await testStores.vault.declare({ name: 'written-types' });
  await testStores.vault.put('written-types', 'SongSnoozed', { version: '9.9.9' });
  await expect(settle()).rejects.toThrow(/^the log was written by a newer Roughmix: 9\.9\.9 .*; nothing was changed\. Settle with the newer version/);
  expect([done, Object.keys(await bodiesOf('sessions'))]).toEqual([[], ['s']]);
});

test('no program starts on an unfinished move', async () => {
  await testStores.vault.declare({ name: 'moves' });
  await testStores.vault.put('moves', 'embedded', { from: 'x', state: 'begun' });
  await expect(refuseUnfinishedWork(testStores.vault)).rejects.toThrow('a move to these servers is unfinished');
});
