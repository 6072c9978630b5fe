import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { masterKeyFrom } from '../auth/secrets.js';
import { VaultKeys } from '../auth/vault-keys.js';
import { NotOneInstallation, refuseStrangers } from './one-installation.js';

const SERVERS = { EVENTSTORE_URL: 'esdb://one:2113?tls=false', MONGO_URL: 'mongodb://one/mix', DATA_DIR: '/data' };
const FOLDER = { EVENTSTORE_URL: null, MONGO_URL: null, DATA_DIR: '/data' };
const WHAT_TO_DO =
  'nothing was changed. Is a variable missing, or does one name another place? What was put back from copies is brought in order by operate -- restore, on servers operate -- settle';

let ours: TestStores;
let theirs: TestStores;

beforeEach(async () => {
  [ours, theirs] = [await openTestStores(), await openTestStores()];
});
afterEach(async () => {
  await ours.close();
  await theirs.close();
});

const meet = (log: TestStores, { vault }: TestStores, config: Parameters<typeof refuseStrangers>[0]['config'] = SERVERS): Promise<void> =>
  refuseStrangers({ eventStore: log.store, vault, config });
const begun = ({ vault }: TestStores): Promise<unknown> => VaultKeys.open(vault, masterKeyFrom('a-master-key-that-is-long-enough'));
const write = ({ store }: TestStores): Promise<unknown> =>
  store.append('site', 'none', [
    { id: randomUUID(), type: 'Seen', data: {}, meta: { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null } },
  ]);

test('a vault belongs to the log that it is first opened with, and meets no other one', async () => {
  await meet(ours, ours);
  await begun(ours);
  await write(ours);
  await meet(ours, ours);
  await expect(meet(theirs, ours)).rejects.toThrow(
    new NotOneInstallation(
      `EVENTSTORE_URL, MONGO_URL: the vault belongs to the log ${ours.store.identity}, and this is the log ${theirs.store.identity}; ${WHAT_TO_DO}`,
    ),
  );
  await meet(ours, ours);
});

test('where the log of a data folder stands in for one that was not named, both places are told', async () => {
  await meet(ours, ours);
  await expect(meet(theirs, ours, { ...FOLDER, MONGO_URL: SERVERS.MONGO_URL })).rejects.toThrow(
    /^DATA_DIR \(\/data\), MONGO_URL: the vault belongs to the log /,
  );
  await expect(meet(theirs, ours, FOLDER)).rejects.toThrow(/^DATA_DIR \(\/data\): the vault belongs to the log /);
});

test('an empty vault is not taken for that of a log with events; one of an older version, which says nothing of its log, is', async () => {
  await write(ours);
  await expect(meet(ours, theirs)).rejects.toThrow(
    new NotOneInstallation(`EVENTSTORE_URL, MONGO_URL: the vault is empty, and the log ${ours.store.identity} is not; ${WHAT_TO_DO}`),
  );
  await begun(ours);
  await meet(ours, ours);
});
