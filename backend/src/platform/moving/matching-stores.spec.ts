import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { masterKeyFrom } from '../auth/secrets.js';
import { VaultKeys } from '../auth/vault-keys.js';
import { refuseMissingLog, requireMatchingStores, StoresMismatch } from './matching-stores.js';

const SERVERS = { EVENTSTORE_URL: 'esdb://one:2113?tls=false', MONGO_URL: 'mongodb://one/mix', DATA_DIR: '/data' };
const FOLDER = { EVENTSTORE_URL: null, MONGO_URL: null, DATA_DIR: '/data' };
const WHAT_TO_DO = 'nothing was changed. Check for a missing or wrong variable. Copies are restored with operate -- restore, on servers with operate -- settle';

let ours: TestStores;
let theirs: TestStores;

beforeEach(async () => {
  [ours, theirs] = [await openTestStores(), await openTestStores()];
});
afterEach(async () => {
  await ours.close();
  await theirs.close();
});

const check = (log: TestStores, { vault }: TestStores, config: Parameters<typeof requireMatchingStores>[0]['config'] = SERVERS): Promise<void> =>
  requireMatchingStores({ eventStore: log.store, vault, config });
const createKeys = ({ vault }: TestStores): Promise<unknown> => VaultKeys.open(vault, masterKeyFrom('a-master-key-that-is-long-enough'));
const write = ({ store }: TestStores): Promise<unknown> =>
  store.append('site', 'none', [
    { id: randomUUID(), type: 'Seen', data: {}, meta: { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null } },
  ]);

test('a vault belongs to the log that it is first opened with, and cannot be opened with any other', async () => {
  await check(ours, ours);
  await createKeys(ours);
  await write(ours);
  await check(ours, ours);
  await expect(check(theirs, ours)).rejects.toThrow(
    new StoresMismatch(
      `EVENTSTORE_URL, MONGO_URL: the vault belongs to the log ${ours.store.identity}, but this is the log ${theirs.store.identity}; ${WHAT_TO_DO}`,
    ),
  );
  await check(ours, ours);
});

test('the error names the variables that locate log and vault', async () => {
  await check(ours, ours);
  await expect(check(theirs, ours, { ...FOLDER, MONGO_URL: SERVERS.MONGO_URL })).rejects.toThrow(
    /^DATA_DIR \(\/data\), MONGO_URL: the vault belongs to the log /,
  );
  await expect(check(theirs, ours, FOLDER)).rejects.toThrow(/^DATA_DIR \(\/data\): the vault belongs to the log /);
});

test('an empty vault is refused with a log that has events; a vault of an older version, which has no record of its log, is not', async () => {
  await write(ours);
  await expect(check(ours, theirs)).rejects.toThrow(
    new StoresMismatch(`EVENTSTORE_URL, MONGO_URL: the vault is empty, but the log ${ours.store.identity} is not; ${WHAT_TO_DO}`),
  );
  await createKeys(ours);
  await check(ours, ours);
});

test('a vault whose log is gone is refused before an empty log is created beside it', async () => {
  await check(ours, ours);
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'roughmix-no-log-'));
  await refuseMissingLog({ ...FOLDER, DATA_DIR });
  for (const name of ['vault.db', 'vault.db-wal']) await copyFile(join(ours.folder, name), join(DATA_DIR, name));
  await expect(refuseMissingLog({ ...FOLDER, DATA_DIR })).rejects.toThrow(
    new StoresMismatch(`DATA_DIR (${DATA_DIR}): the vault belongs to the log ${ours.store.identity}, but log.db is missing; ${WHAT_TO_DO}`),
  );
  await refuseMissingLog({ ...SERVERS, DATA_DIR });
  await writeFile(join(DATA_DIR, 'log.db'), '');
  await refuseMissingLog({ ...FOLDER, DATA_DIR });
  await rm(DATA_DIR, { recursive: true });
});
