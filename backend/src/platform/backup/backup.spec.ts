import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ErasureList } from '../personal-data/erasure-list.js';
import { EmbeddedEventStore } from '../event-store/embedded-event-store.js';
import { eventsIn } from '../event-store/log-copy.js';
import { Timers } from '../timers/timers.js';
import { EmbeddedVault } from '../vault/embedded-vault.js';
import { lastRestore } from '../vault/last-restore.js';
import { type BackupOptions, type MadeBackup, makeBackup } from './make-backup.js';
import { slices } from '../../slices.js';
import { readableTypes } from '../streams/written-types.js';
import { restoreBackup, type RestoredBackup } from './restore-backup.js';
import { refuseUnfinished } from './unfinished-restore.js';
import { appendNext } from '../../testing/append-next.js';

const FILE = 'ana/ProjectMediaFiles/p1/v1/1_0-tide.wav';
const signal = new AbortController().signal;
const report = (): void => undefined;
let testStores: TestStores;
let folder: string;
let list: string;

const event = (commandId: string) => ({
  id: crypto.randomUUID(),
  type: 'ProjectRenamed',
  data: { from: 'a', to: 'b' },
  meta: { actorUid: 'ana', at: 1, commandId, correlationId: commandId, causationId: null },
});
const append = (commandId: string) => appendNext(testStores.store, 'project-p1', [event(commandId)]);
const path = (name: string): string => join(folder, name);
const backUp = (changes: Partial<BackupOptions> = {}): Promise<MadeBackup> =>
  makeBackup({
    config: { DATA_DIR: testStores.folder, ERASURES_FILE: list },
    to: path('backups'),
    withKeys: false,
    keep: null,
    clock: () => testStores.time.now,
    signal,
    report,
    ...changes,
  });
const restore = (from: string, changes: { readonly erasures?: string; readonly to?: string } = {}): Promise<RestoredBackup> => {
  const config = { DATA_DIR: changes.to ?? path('restored'), ERASURES_FILE: changes.erasures ?? list, MASTER_KEY: 'any key opens a vault without one' };
  return restoreBackup({
    config,
    from,
    recordKinds: slices.recordKinds,
    readable: readableTypes(slices),
    clock: () => testStores.time.now,
    signal,
    report,
    isNamed: () => (key) => key === FILE,
    settle: () => Promise.resolve(),
  });
};

beforeEach(async () => {
  testStores = await openTestStores();
  folder = await mkdtemp(join(tmpdir(), 'roughmix-backup-'));
  list = path('erasures.ndjson');
  for (const name of ['sessions', 'trash', 'accounts', 'reactor-checkpoints']) await testStores.vault.declare({ name });
  await append('first');
  await testStores.vault.put('reactor-checkpoints', 'analyse', { position: 1 });
  await testStores.blobs.write(FILE, Buffer.from('sound'));
});
afterEach(async () => {
  await testStores.close();
  await rm(folder, { recursive: true });
});

describe('a backup', () => {
  test('contains the whole log, the vault and the files and nothing else, even if the stores are open', async () => {
    await testStores.blobs.write('uploads/u1', Buffer.from('half'));
    const { folder: made, manifest } = await backUp();
    expect(manifest).toMatchObject({
      log: { identity: testStores.store.identity, position: 1 },
      files: { count: 1, bytes: 5 },
      reactors: { analyse: 1 },
      keys: false,
    });
    expect((await readdir(made)).toSorted()).toEqual(['blobs', 'files.ndjson', 'log.db', 'manifest.json', 'vault.db']);
    expect([...eventsIn(join(made, 'log.db'))].map(({ meta }) => meta.commandId)).toEqual(['first']);
    expect(await readFile(join(made, 'blobs', FILE), 'utf8')).toBe('sound');
    expect(existsSync(join(made, 'blobs', 'uploads'))).toBe(false);
  });

  test('is closed to other users of the machine', async () => {
    // As the operation does at its start.
    const umask = process.umask(0o077);
    const { folder: made } = await backUp().finally(() => process.umask(umask));
    const paths = ['.', ...(await readdir(made, { recursive: true }))];
    const modes = await Promise.all(paths.map(async (each) => (await stat(join(made, each))).mode & 0o077));
    expect(paths.filter((_, nth) => modes[nth] !== 0)).toEqual([]);
  });

  test('after a previous one shares its unchanged files', async () => {
    const first = await backUp();
    testStores.time.now += 1_000;
    await testStores.blobs.write('ana/ProjectMediaFiles/p1/v2/1_1-tide.wav', Buffer.from('louder'));
    const second = await backUp();
    const [one, other] = await Promise.all([first, second].map(({ folder: made }) => stat(join(made, 'blobs', FILE))));
    expect(other?.ino).toBe(one?.ino);
    expect(second.manifest.files).toMatchObject({ count: 2, bytes: 11 });
  });

  test('is not made in a folder that contains anything else', async () => {
    await mkdir(path('backups'));
    await writeFile(join(path('backups'), 'notes.txt'), 'mine');
    await expect(backUp()).rejects.toThrow('contains notes.txt, which is not a backup');
    expect(await readdir(path('backups'))).toEqual(['notes.txt']);
  });

  test('that was interrupted cannot be restored, and the next one removes it', async () => {
    const { folder: made } = await backUp();
    const interrupted = join(path('backups'), '.unfinished-later');
    await cp(made, interrupted, { recursive: true });
    await rm(join(interrupted, 'manifest.json'));
    await expect(restore(interrupted)).rejects.toThrow('is an unfinished backup');
    testStores.time.now += 1_000;
    await backUp();
    expect((await readdir(path('backups'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('a backup with --keep', () => {
  test('removes the oldest backups; files that they shared stay in the others', async () => {
    const made: string[] = [];
    for (let nth = 0; nth < 4; nth += 1) {
      made.push((await backUp()).folder);
      testStores.time.now += 1_000;
    }
    const { folder: last, removed } = await backUp({ keep: 2 });
    expect(removed).toEqual(made.slice(0, 3));
    expect((await readdir(path('backups'))).map((name) => join(path('backups'), name)).toSorted()).toEqual([made[3], last]);
    await restore(last);
    expect(await readFile(join(path('restored'), 'blobs', FILE), 'utf8')).toBe('sound');
  });

  test('removes none if it fails', async () => {
    const { folder: made } = await backUp();
    testStores.time.now += 1_000;
    await expect(backUp({ keep: 1, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(await readdir(path('backups'))).toEqual([basename(made)]);
  });
});

describe('restoring timers', () => {
  test('keeps those that were set, drops those of later events, and records its own time', async () => {
    const timers = await Timers.open(testStores.vault);
    await timers.set({ kind: 'remind', key: 'before', at: 1, position: 1 });
    await timers.set({ kind: 'remind', key: 'later', at: 1, position: 2 });
    await timers.set({ kind: 'remind', key: 'without-event', at: 2 });
    await backUp();
    testStores.time.now += 5_000;
    await restore(path('backups'));
    const vault = await EmbeddedVault.open({ file: join(path('restored'), 'vault.db') });
    const upcoming = await (await Timers.open(vault)).upcoming('remind', 10);
    expect(upcoming.map(({ body: { key } }) => key)).toEqual(['before', 'without-event']);
    expect([await lastRestore(vault), await lastRestore(testStores.vault)]).toEqual([testStores.time.now, 0]);
    await vault.close();
  });
});

describe('restoring', () => {
  test('gives the log a new identity, rolls the vault back to the end of the log, and leaves out read models and later files', async () => {
    await testStores.vault.put('sessions', 's1', { uid: 'ana' });
    await testStores.vault.put('accounts', 'ana', { uid: 'ana' });
    await testStores.vault.put('trash', 'before', { prefix: 'x', position: 1 });
    await testStores.vault.put('trash', 'later', { prefix: 'y', position: 2 });
    await testStores.blobs.write('ana/ProjectMediaFiles/p1/v2/1_1-tide.wav', Buffer.from('later'));
    const { folder: made, manifest } = await backUp();
    const { identity } = await restore(path('backups'));
    expect((await readdir(path('restored'))).toSorted()).toEqual(['blobs', 'log.db', 'vault.db']);
    const store = await EmbeddedEventStore.open({ file: join(path('restored'), 'log.db') });
    expect([store.identity, await store.head()]).toEqual([identity, manifest.log.position]);
    expect(identity).not.toBe(testStores.store.identity);
    await store.close();
    expect(await readdir(join(path('restored'), 'blobs'), { recursive: true })).toContain(FILE);
    expect(await readdir(join(path('restored'), 'blobs', 'ana/ProjectMediaFiles/p1'))).toEqual(['v1']);
    const vault = await EmbeddedVault.open({ file: join(path('restored'), 'vault.db') });
    for (const name of ['sessions', 'trash', 'accounts', 'reactor-checkpoints']) await vault.declare({ name });
    const ids = async (collection: string) => (await vault.find(collection, {})).map(({ id }) => id);
    expect([await ids('sessions'), await ids('accounts'), await ids('trash')]).toEqual([[], ['ana'], ['before']]);
    await vault.close();
    expect(made).toContain(path('backups'));
  });

  test('continues reactors at their checkpoints from before the log was copied, or at most at its end', async () => {
    await testStores.vault.put('reactor-checkpoints', 'ahead', { position: 7 });
    await backUp();
    await restore(path('backups'));
    const vault = await EmbeddedVault.open({ file: join(path('restored'), 'vault.db') });
    await vault.declare({ name: 'reactor-checkpoints' });
    expect((await vault.find('reactor-checkpoints', {})).map(({ id, body }) => ({ id, ...body }))).toEqual([
      { id: 'ahead', position: 1 },
      { id: 'analyse', position: 1 },
    ]);
    await vault.close();
  });

  test('is refused into a folder that contains data, and without a list of erasures that continues the one of the backup', async () => {
    const erasures = await ErasureList.open(list);
    await erasures.add({ uid: 'carl', at: 1 });
    await backUp();
    await expect(restore(path('backups'), { to: testStores.folder })).rejects.toThrow('is not empty');
    await expect(restore(path('backups'), { erasures: path('lost') })).rejects.toThrow(`ERASURES_FILE: ${path('lost')} does not exist`);
    await writeFile(path('other'), '');
    await expect(restore(path('backups'), { erasures: path('other') })).rejects.toThrow('does not continue the list of 1 erasures');
    expect(existsSync(path('restored'))).toBe(false);
  });

  test.each(['log.db', 'vault.db', 'files.ndjson', `blobs/${FILE}`])('is refused when a byte of %s was changed, and nothing is written', async (name) => {
    const { folder: made } = await backUp();
    const bytes = await readFile(join(made, name));
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(join(made, name), bytes);
    await expect(restore(made)).rejects.toThrow('differs from the file that was backed up');
    expect(existsSync(path('restored'))).toBe(false);
  });

  test('that was interrupted keeps programs from starting, and can be repeated', async () => {
    await backUp();
    const failing = { DATA_DIR: path('restored'), ERASURES_FILE: list, MASTER_KEY: 'any key opens a vault without one' };
    const settle = (): Promise<void> => Promise.reject(new Error('the power went'));
    await expect(
      restoreBackup({
        config: failing,
        from: path('backups'),
        recordKinds: slices.recordKinds,
        readable: readableTypes(slices),
        clock: () => testStores.time.now,
        signal,
        report,
        isNamed: () => () => true,
        settle,
      }),
    ).rejects.toThrow('the power went');
    expect(() => refuseUnfinished(path('restored'))).toThrow('a restore into this folder was interrupted; run it again');
    await restore(path('backups'));
    expect(() => refuseUnfinished(path('restored'))).not.toThrow();
  });
});

test('a backup of a log that a newer program has written to is refused, and nothing is written', async () => {
  await testStores.vault.declare({ name: 'written-types' });
  await testStores.vault.put('written-types', 'SongSnoozed', { version: '9.9.9' });
  const { folder: made } = await backUp();
  await expect(restore(path('backups'))).rejects.toThrow(
    new RegExp(`^${made}: the log was written by a newer Roughmix: 9\\.9\\.9 wrote events of the type SongSnoozed, .*; nothing was changed\\. Restore it with`),
  );
  expect(existsSync(path('restored'))).toBe(false);
});
