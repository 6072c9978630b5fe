import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { masterKeyFrom, openSecrets } from './secrets.js';
import { VaultKeys } from './vault-keys.js';

let stored: TemporaryVault;
beforeEach(async () => {
  stored = await temporaryVault();
});
afterEach(() => stored.remove());

const environment = (keys: { ADMIN_KEY?: string; MASTER_KEY?: string } = {}) => ({ DATA_DIR: stored.folder, ADMIN_KEY: null, MASTER_KEY: null, ...keys });
const open = (keys?: { ADMIN_KEY?: string; MASTER_KEY?: string }) => openSecrets(environment(keys), stored.vault);
const filesOf = async (): Promise<readonly string[]> => (await readdir(stored.folder)).filter((name) => !name.startsWith('vault.db')).toSorted();

describe('the first start', () => {
  test('makes both keys, 256 bits each, for the owner alone, and says where the admin key lies', async () => {
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

  test('takes the keys of the environment and then makes nothing', async () => {
    const keys = { ADMIN_KEY: 'a'.repeat(22), MASTER_KEY: 'm'.repeat(22) };
    expect(await open(keys)).toEqual({ adminKey: keys.ADMIN_KEY, masterKey: masterKeyFrom(keys.MASTER_KEY), adminKeyPath: null, adminKeyCreated: false });
    expect(await filesOf()).toEqual([]);
  });
});

describe('a later start', () => {
  test('finds the same keys', async () => {
    const first = await open();
    expect(await open()).toEqual({ ...first, adminKeyCreated: false });
  });

  test('takes the text of master.key from the environment too', async () => {
    const { masterKey } = await open();
    const text = (await readFile(join(stored.folder, 'master.key'), 'utf8')).trim();
    expect((await open({ MASTER_KEY: text })).masterKey).toEqual(masterKey);
  });

  test.each<[what: string, keys: { MASTER_KEY?: string }, spoil: () => Promise<void>, told: RegExp]>([
    ['another master key', { MASTER_KEY: 'another key, long enough' }, () => Promise.resolve(), /^MASTER_KEY: not the key of this data folder$/],
    [
      'no master key any more',
      {},
      () => rm(join(stored.folder, 'master.key')),
      /^MASTER_KEY: needed to open this data folder; give it, or put the file master\.key into /,
    ],
  ])('with %s is refused and changes nothing', async (_what, keys, spoil, told) => {
    await VaultKeys.open(stored.vault, (await open()).masterKey);
    await spoil();
    await rm(join(stored.folder, 'admin.key'));
    const before = { files: await filesOf(), keys: await stored.vault.find('vault-keys', {}) };
    await expect(open(keys)).rejects.toThrow(told);
    expect({ files: await filesOf(), keys: await stored.vault.find('vault-keys', {}) }).toEqual(before);
  });

  test.each(['short', 'a'.repeat(64)])('refuses a file that holds too little: %s', async (text) => {
    await writeFile(join(stored.folder, 'admin.key'), text);
    await expect(open()).rejects.toThrow('admin.key: at least 128 random bits');
  });
});

describe('the keys in the vault', () => {
  test('are made once, differ, and are never there in clear', async () => {
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
