import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EmbeddedVault } from './embedded-vault.js';
import { vaultContract } from './vault.contract.js';

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'roughmix-vault-'));

vaultContract(
  'the embedded vault',
  async () => {
    const folder = await temporaryFolder();
    return {
      open: () => EmbeddedVault.open({ file: join(folder, 'vault.db') }),
      remove: () => rm(folder, { recursive: true }),
    };
  },
  'one',
);

describe('vault.db', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder, 'vault.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A copy of an open vault's files, as a power cut leaves them. */
  const copyAfterPowerCut = async (): Promise<string> => {
    const vault = await EmbeddedVault.open({ file });
    await vault.declare({ name: 'keys' });
    for (let index = 0; index < 20; index++) await vault.put('keys', `k${index}`, { secret: 's'.repeat(500) });
    const copy = join(folder, 'copy.db');
    for (const ending of ['', '-wal']) await copyFile(file + ending, copy + ending);
    await vault.close();
    return copy;
  };

  test('is readable by its owner only', async () => {
    const vault = await EmbeddedVault.open({ file });
    await vault.declare({ name: 'keys' });
    for (const name of [file, `${file}-wal`]) expect((await stat(name)).mode & 0o777).toBe(0o600);
    await vault.close();
  });

  test('scrubbing leaves no trace of removed or overwritten records in any file, even during other writes', async () => {
    const vault = await EmbeddedVault.open({ file });
    await vault.declare({ name: 'keys', indexes: ['owner'] });
    for (let index = 0; index < 50; index += 1) await vault.put('keys', `k${index}`, { owner: `removed-${index}`, secret: 'overwritten' });
    for (let index = 0; index < 50; index += 1) await vault.put('keys', `k${index}`, { owner: 'stays', secret: 'stays' });
    await vault.removeWhere('keys', 'owner', 'stays');
    const others = Array.from({ length: 50 }, (_, index) => vault.put('keys', `other${index}`, { owner: 'stays' }));
    await vault.scrub();
    await Promise.all(others);
    const bytes = (await Promise.all(['', '-wal'].map((ending) => readFile(file + ending)))).map((each) => each.toString('latin1')).join('');
    expect([bytes.includes('removed-'), bytes.includes('overwritten'), bytes.includes('stays')]).toEqual([false, false, true]);
    await vault.close();
  });

  test('scrubs that overlap queue and succeed, beside other writes', async () => {
    const vault = await EmbeddedVault.open({ file });
    await vault.declare({ name: 'keys' });
    const scrubbing = { isDone: false };
    const writing = (async (): Promise<void> => {
      for (let index = 0; !scrubbing.isDone; index += 1) await vault.put('keys', `k${index % 500}`, { secret: 'x'.repeat(4_000) });
    })();
    const scrubs: PromiseSettledResult<void>[] = [];
    for (let round = 0; round < 3; round += 1) scrubs.push(...(await Promise.allSettled(Array.from({ length: 12 }, () => vault.scrub()))));
    scrubbing.isDone = true;
    await writing;
    expect(scrubs).toEqual(scrubs.map(() => ({ status: 'fulfilled', value: undefined })));
    await vault.close();
  });

  test('every acknowledged write survives a power cut', async () => {
    const vault = await EmbeddedVault.open({ file: await copyAfterPowerCut() });
    await vault.declare({ name: 'keys' });
    expect(await vault.find('keys', {})).toHaveLength(20);
    await vault.close();
  });

  test.each([
    ['file cut short', '', (path: string) => truncate(path, 6000)],
    ['file of other bytes', '', (path: string) => writeFile(path, 'nothing of ours '.repeat(1000))],
    ['write-ahead log with a flipped byte in the middle', '-wal', flipMiddle],
  ])('a %s is refused and left unchanged', async (_, ending, damage) => {
    const copy = await copyAfterPowerCut();
    if (ending === '') await settle(copy);
    await damage(copy + ending);
    const before = await readFile(copy + ending);
    await expect(EmbeddedVault.open({ file: copy })).rejects.toMatchObject({ name: 'StoreDamaged' });
    expect(await readFile(copy + ending)).toEqual(before);
  });
});

async function settle(file: string): Promise<void> {
  await EmbeddedVault.open({ file }).then((vault) => vault.close());
}

async function flipMiddle(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  await writeFile(path, bytes);
}
