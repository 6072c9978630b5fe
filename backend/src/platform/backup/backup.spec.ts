import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ErasureList } from '../personal-data/erasure-list.js';
import { EmbeddedEventStore } from '../event-store/embedded-event-store.js';
import { eventsIn } from '../event-store/log-copy.js';
import { Timers } from '../timers/timers.js';
import { EmbeddedVault } from '../vault/embedded-vault.js';
import { lastRestore } from '../vault/last-restore.js';
import { type BackupMade, makeBackup } from './make-backup.js';
import { slices } from '../../slices.js';
import { restoreBackup, type Restored } from './restore-backup.js';
import { refuseUnfinished } from './unfinished-restore.js';
import { appendNext } from '../../testing/append-next.js';

const FILE = 'ana/ProjectMediaFiles/p1/v1/1_0-tide.wav';
const signal = new AbortController().signal;
const tell = (): void => undefined;
let ground: TestStores;
let folder: string;
let list: string;

const event = (commandId: string) => ({
  id: crypto.randomUUID(),
  type: 'ProjectRenamed',
  data: { from: 'a', to: 'b' },
  meta: { actorUid: 'ana', at: 1, commandId, correlationId: commandId, causationId: null },
});
const append = (commandId: string) => appendNext(ground.store, 'project-p1', [event(commandId)]);
const place = (name: string): string => join(folder, name);
const backUp = (to = place('backups')): Promise<BackupMade> =>
  makeBackup({ config: { DATA_DIR: ground.folder, ERASURES_FILE: list }, to, withKeys: false, clock: () => ground.time.now, signal, tell });
const restore = (from: string, changes: { readonly erasures?: string; readonly to?: string } = {}): Promise<Restored> => {
  const config = { DATA_DIR: changes.to ?? place('restored'), ERASURES_FILE: changes.erasures ?? list, MASTER_KEY: 'any key opens a vault without one' };
  return restoreBackup({
    config,
    from,
    recordKinds: slices.recordKinds,
    clock: () => ground.time.now,
    signal,
    tell,
    isNamed: () => (key) => key === FILE,
    settle: () => Promise.resolve(),
  });
};

beforeEach(async () => {
  ground = await openTestStores();
  folder = await mkdtemp(join(tmpdir(), 'roughmix-backup-'));
  list = place('erasures.ndjson');
  for (const name of ['sessions', 'trash', 'accounts', 'reactor-checkpoints']) await ground.vault.declare({ name });
  await append('first');
  await ground.vault.put('reactor-checkpoints', 'analyse', { position: 1 });
  await ground.blobs.write(FILE, Buffer.from('sound'));
});
afterEach(async () => {
  await ground.close();
  await rm(folder, { recursive: true });
});

describe('a backup', () => {
  test('holds the log to its end, the vault and the files, beside open stores, and nothing else', async () => {
    await ground.blobs.write('uploads/u1', Buffer.from('on its way'));
    const { folder: made, manifest } = await backUp();
    expect(manifest).toMatchObject({
      log: { identity: ground.store.identity, position: 1 },
      files: { count: 1, bytes: 5 },
      reactors: { analyse: 1 },
      keys: false,
    });
    expect((await readdir(made)).toSorted()).toEqual(['blobs', 'files.ndjson', 'log.db', 'manifest.json', 'vault.db']);
    expect([...eventsIn(join(made, 'log.db'))].map(({ meta }) => meta.commandId)).toEqual(['first']);
    expect(await readFile(join(made, 'blobs', FILE), 'utf8')).toBe('sound');
    expect(existsSync(join(made, 'blobs', 'uploads'))).toBe(false);
  });

  test('after another one shares the files that are the same', async () => {
    const first = await backUp();
    ground.time.now += 1_000;
    await ground.blobs.write('ana/ProjectMediaFiles/p1/v2/1_1-tide.wav', Buffer.from('louder'));
    const second = await backUp();
    const [one, other] = await Promise.all([first, second].map(({ folder: made }) => stat(join(made, 'blobs', FILE))));
    expect(other?.ino).toBe(one?.ino);
    expect(second.manifest.files).toMatchObject({ count: 2, bytes: 11 });
  });

  test('is not made in a folder that holds anything else', async () => {
    await mkdir(place('backups'));
    await writeFile(join(place('backups'), 'letter.txt'), 'mine');
    await expect(backUp()).rejects.toThrow('holds letter.txt, which is no backup');
    expect(await readdir(place('backups'))).toEqual(['letter.txt']);
  });

  test('that was cut off is none, and is tidied by the next', async () => {
    const { folder: made } = await backUp();
    const cutOff = join(place('backups'), '.unfinished-later');
    await cp(made, cutOff, { recursive: true });
    await rm(join(cutOff, 'manifest.json'));
    await expect(restore(cutOff)).rejects.toThrow('was cut off before it was whole');
    ground.time.now += 1_000;
    await backUp();
    expect((await readdir(place('backups'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('restoring timers', () => {
  test('keeps those that were set, drops what follows from later events, and notes when it was', async () => {
    const timers = await Timers.open(ground.vault);
    await timers.set({ kind: 'remind', key: 'before', at: 1, position: 1 });
    await timers.set({ kind: 'remind', key: 'later', at: 1, position: 2 });
    await timers.set({ kind: 'remind', key: 'without-event', at: 2 });
    await backUp();
    ground.time.now += 5_000;
    await restore(place('backups'));
    const vault = await EmbeddedVault.open({ file: join(place('restored'), 'vault.db') });
    const upcoming = await (await Timers.open(vault)).upcoming('remind', 10);
    expect(upcoming.map(({ body: { key } }) => key)).toEqual(['before', 'without-event']);
    expect([await lastRestore(vault), await lastRestore(ground.vault)]).toEqual([ground.time.now, 0]);
    await vault.close();
  });
});

describe('restoring', () => {
  test('gives the log another identity, brings the vault to where the log ends, and leaves read models and later files out', async () => {
    await ground.vault.put('sessions', 's1', { uid: 'ana' });
    await ground.vault.put('accounts', 'ana', { uid: 'ana' });
    await ground.vault.put('trash', 'before', { prefix: 'x', position: 1 });
    await ground.vault.put('trash', 'later', { prefix: 'y', position: 2 });
    await ground.blobs.write('ana/ProjectMediaFiles/p1/v2/1_1-tide.wav', Buffer.from('later'));
    const { folder: made, manifest } = await backUp();
    const { identity } = await restore(place('backups'));
    expect((await readdir(place('restored'))).toSorted()).toEqual(['blobs', 'log.db', 'vault.db']);
    const store = await EmbeddedEventStore.open({ file: join(place('restored'), 'log.db') });
    expect([store.identity, await store.head()]).toEqual([identity, manifest.log.position]);
    expect(identity).not.toBe(ground.store.identity);
    await store.close();
    expect(await readdir(join(place('restored'), 'blobs'), { recursive: true })).toContain(FILE);
    expect(await readdir(join(place('restored'), 'blobs', 'ana/ProjectMediaFiles/p1'))).toEqual(['v1']);
    const vault = await EmbeddedVault.open({ file: join(place('restored'), 'vault.db') });
    for (const name of ['sessions', 'trash', 'accounts', 'reactor-checkpoints']) await vault.declare({ name });
    const ids = async (collection: string) => (await vault.find(collection, {})).map(({ id }) => id);
    expect([await ids('sessions'), await ids('accounts'), await ids('trash')]).toEqual([[], ['ana'], ['before']]);
    await vault.close();
    expect(made).toContain(place('backups'));
  });

  test('lets reactors do again what came after they stood where the log was copied, and nothing else', async () => {
    await ground.vault.put('reactor-checkpoints', 'ahead', { position: 7 });
    await backUp();
    await restore(place('backups'));
    const vault = await EmbeddedVault.open({ file: join(place('restored'), 'vault.db') });
    await vault.declare({ name: 'reactor-checkpoints' });
    expect((await vault.find('reactor-checkpoints', {})).map(({ id, body }) => ({ id, ...body }))).toEqual([
      { id: 'ahead', position: 1 },
      { id: 'analyse', position: 1 },
    ]);
    await vault.close();
  });

  test('is refused into a folder that holds data, and without a list of erasures that goes on from the backup', async () => {
    const erasures = await ErasureList.open(list);
    await erasures.add({ uid: 'carl', at: 1 });
    await backUp();
    await expect(restore(place('backups'), { to: ground.folder })).rejects.toThrow('is not empty');
    await expect(restore(place('backups'), { erasures: place('lost') })).rejects.toThrow('ERASURES_FILE: there is no');
    await writeFile(place('other'), '');
    await expect(restore(place('backups'), { erasures: place('other') })).rejects.toThrow('does not go on from the 1 erasures');
    expect(existsSync(place('restored'))).toBe(false);
  });

  test.each(['log.db', 'vault.db', 'files.ndjson', `blobs/${FILE}`])('is refused when a byte of %s is another, and nothing is written', async (name) => {
    const { folder: made } = await backUp();
    const bytes = await readFile(join(made, name));
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(join(made, name), bytes);
    await expect(restore(made)).rejects.toThrow('is not what was backed up');
    expect(existsSync(place('restored'))).toBe(false);
  });

  test('that was cut off leaves nothing that starts, and is begun anew', async () => {
    await backUp();
    const failing = { DATA_DIR: place('restored'), ERASURES_FILE: list, MASTER_KEY: 'any key opens a vault without one' };
    const settle = (): Promise<void> => Promise.reject(new Error('the power went'));
    await expect(
      restoreBackup({
        config: failing,
        from: place('backups'),
        recordKinds: slices.recordKinds,
        clock: () => ground.time.now,
        signal,
        tell,
        isNamed: () => () => true,
        settle,
      }),
    ).rejects.toThrow('the power went');
    expect(() => refuseUnfinished(place('restored'))).toThrow('a restore into this folder was cut off, run it again');
    await restore(place('backups'));
    expect(() => refuseUnfinished(place('restored'))).not.toThrow();
  });
});
