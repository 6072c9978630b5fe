import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import type { AppRole } from '../config/config.js';
import { masterKeyFrom, openSecrets } from './secrets.js';
import { VaultKeys } from './vault-keys.js';

let stored: TemporaryVault;
beforeEach(async () => {
  stored = await temporaryVault();
});
afterEach(() => stored.remove());

const ROLES: readonly AppRole[] = ['web', 'projector', 'reactor'];
type Given = { readonly ADMIN_KEY?: string; readonly MASTER_KEY?: string; readonly ROLES?: readonly AppRole[] };
const environment = (given: Given = {}) => ({ DATA_DIR: stored.folder, ADMIN_KEY: null, MASTER_KEY: null, ROLES, ...given });
const open = (keys?: Given) => openSecrets(environment(keys), stored.vault);
const filesOf = async (): Promise<readonly string[]> => (await readdir(stored.folder)).filter((name) => !name.startsWith('vault.db')).toSorted();

describe('the first start', () => {
  test('creates both keys with 256 bits each, readable only by the owner, and returns the path of the admin key', async () => {
    const { adminKey, adminKeyPath, adminKeyCreated } = await open();
    expect(adminKeyPath).toBe(join(stored.folder, 'admin.key'));
    expect(adminKeyCreated).toBe(true);
    expect(await filesOf()).toEqual(['admin.key', 'master.key']);
    for (const name of ['admin.key', 'master.key']) {
      const path = join(stored.folder, name);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')).toHaveLength(32);
    }
    expect(adminKey).toBe((await readFile(join(stored.folder, 'admin.key'), 'utf8')).trim());
  });

  test('uses the keys of the environment and creates no files', async () => {
    const keys = { ADMIN_KEY: 'a'.repeat(22), MASTER_KEY: 'm'.repeat(22) };
    expect(await open(keys)).toEqual({ adminKey: keys.ADMIN_KEY, masterKey: masterKeyFrom(keys.MASTER_KEY), adminKeyPath: null, adminKeyCreated: false });
    expect(await filesOf()).toEqual([]);
  });
});

test('a process without the API creates no admin key, and knows none', async () => {
  const { adminKeyPath } = await open({ ROLES: ['projector', 'reactor'] });
  expect([adminKeyPath, await filesOf()]).toEqual([null, ['master.key']]);
});

describe('a later start', () => {
  test('reads the same keys', async () => {
    const first = await open();
    expect(await open()).toEqual({ ...first, adminKeyCreated: false });
  });

  test('accepts the text of master.key from the environment', async () => {
    const { masterKey } = await open();
    const text = (await readFile(join(stored.folder, 'master.key'), 'utf8')).trim();
    expect((await open({ MASTER_KEY: text })).masterKey).toEqual(masterKey);
  });

  test.each<[what: string, keys: { MASTER_KEY?: string }, change: () => Promise<void>, message: RegExp]>([
    ['another master key', { MASTER_KEY: 'another key, long enough' }, () => Promise.resolve(), /^MASTER_KEY: not the key of this data folder$/],
    [
      'no master key',
      {},
      () => rm(join(stored.folder, 'master.key')),
      /^MASTER_KEY: needed to open this data folder; give it, or put the file master\.key into /,
    ],
  ])('with %s is refused and changes nothing', async (_what, keys, change, message) => {
    await VaultKeys.open(stored.vault, (await open()).masterKey);
    await change();
    await rm(join(stored.folder, 'admin.key'));
    const before = { files: await filesOf(), keys: await stored.vault.find('vault-keys', {}) };
    await expect(open(keys)).rejects.toThrow(message);
    expect({ files: await filesOf(), keys: await stored.vault.find('vault-keys', {}) }).toEqual(before);
  });

  test.each(['short', 'a'.repeat(64)])('refuses a file with a weak key: %s', async (text) => {
    await writeFile(join(stored.folder, 'admin.key'), text);
    await expect(open()).rejects.toThrow('admin.key needs at least 128 random bits');
  });
});

describe('the keys in the vault', () => {
  test('are created once, differ from each other, and are never stored in clear', async () => {
    const master = masterKeyFrom('m'.repeat(22));
    const first = await VaultKeys.open(stored.vault, master);
    const again = await VaultKeys.open(stored.vault, master);
    const names = ['requests', 'devices', 'uploads', 'throttle'] as const;
    expect(new Set(names.map((name) => first.key(name).toString('hex'))).size).toBe(4);
    const records = JSON.stringify(await stored.vault.find('vault-keys', {}));
    for (const name of names) {
      expect(again.key(name)).toEqual(first.key(name));
      expect(first.key(name)).toHaveLength(32);
      expect(records).not.toContain(first.key(name).toString('base64url'));
    }
  });

  test('are refused under another master key', async () => {
    await VaultKeys.open(stored.vault, masterKeyFrom('m'.repeat(22)));
    await expect(VaultKeys.open(stored.vault, masterKeyFrom('n'.repeat(22)))).rejects.toThrow('MASTER_KEY: not the key of this data folder');
  });
});
