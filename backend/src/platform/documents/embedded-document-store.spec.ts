import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { damageMark } from './documents-file.js';
import { documentStoreContract } from './documents.contract.js';
import { EmbeddedDocumentStore } from './embedded-document-store.js';

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'roughmix-documents-'));

documentStoreContract(
  'the embedded store',
  async () => {
    const folder = await temporaryFolder();
    return {
      open: () => EmbeddedDocumentStore.open({ file: join(folder, 'read.db') }),
      remove: () => rm(folder, { recursive: true }),
    };
  },
  'one',
);

describe('read.db', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder, 'read.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const notes = { name: 'notes_v1', indexes: [{ field: 'projectId' }] };
  const fill = async (count: number) => {
    const store = await EmbeddedDocumentStore.open({ file });
    await store.declare(notes);
    const writes = Array.from({ length: count }, (_, index) => ({
      collection: notes.name,
      id: `n${index}`,
      position: 1,
      body: { text: 'la '.repeat(300), projectId: 'p' },
    }));
    await store.save({ projector: 'notes', checkpoint: 1, writes });
    await store.close();
  };
  const openTelling = async () => {
    const reasons: string[] = [];
    const store = await EmbeddedDocumentStore.open({ file, onDropped: (reason) => reasons.push(reason) });
    return { store, reasons };
  };

  test.each([
    ['is not a database', () => writeFile(file, 'not a database at all '.repeat(100)), 'file is not a database'],
    ['was cut short', () => truncate(file, 20_000), 'database disk image is malformed'],
    [
      'was zeroed in its first table',
      async () => writeFile(file, Buffer.concat([(await readFile(file)).subarray(0, 4096), Buffer.alloc(200_000)])),
      'database disk image is malformed',
    ],
    ['was written by another version', () => changeFormat(file), 'its format is 99, but this program writes 2'],
  ])('a file that %s is dropped and reported, and the store starts empty', async (_, spoil, reason) => {
    await fill(200);
    await spoil();
    const { store, reasons } = await openTelling();
    expect(reasons).toEqual([reason]);
    expect(await store.checkpoint('notes')).toBe(0);
    await store.declare(notes);
    expect(await store.get(notes.name, 'n1')).toBeNull();
    await store.close();
    await openTelling().then(async (again) => {
      expect(again.reasons).toEqual([]);
      await again.store.close();
    });
  });

  test('damage found while reading is an error, and the next start drops the file', async () => {
    await fill(400);
    const bytes = await readFile(file);
    bytes.fill(0xaa, 100_000, 120_000);
    await writeFile(file, bytes);
    const { store, reasons } = await openTelling();
    expect(reasons).toEqual([]);
    await expect(
      store.getMany(
        notes.name,
        Array.from({ length: 400 }, (_, index) => `n${index}`),
      ),
    ).rejects.toMatchObject({ name: 'StoreDamaged', file });
    await store.close();
    expect(existsSync(damageMark(file))).toBe(true);
    const next = await openTelling();
    expect(next.reasons).toEqual(['it was found damaged while in use']);
    await next.store.close();
    expect(existsSync(damageMark(file))).toBe(false);
  });
});

test('scrubbing leaves no trace of removed or overwritten documents in any file', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'read.db');
  const store = await EmbeddedDocumentStore.open({ file });
  await store.declare({ name: 'people_v1', indexes: [{ field: 'name' }] });
  const people = (position: number, name: (index: number) => string | null) =>
    Array.from({ length: 60 }, (_, index) => ({
      collection: 'people_v1',
      id: `p${index}`,
      position,
      body: name(index) === null ? null : { name: name(index) },
    }));
  await store.save({ projector: 'people', checkpoint: 1, writes: people(1, (index) => `Overwritten${index}`) });
  await store.save({ projector: 'people', checkpoint: 2, writes: people(2, (index) => (index % 2 === 0 ? null : '[removed user]')) });
  await store.scrub();
  const bytes = (await Promise.all(['', '-wal'].map((ending) => readFile(file + ending)))).map((each) => each.toString('latin1')).join('');
  expect([bytes.includes('Overwritten'), bytes.includes('[removed user]')]).toEqual([false, true]);
  await store.close();
  await rm(folder, { recursive: true });
});

test('a batch of 2,000 documents is written without blocking the event loop', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'read.db');
  const store = await EmbeddedDocumentStore.open({ file });
  await store.declare({ name: 'notes_v1', indexes: [{ field: 'projectId' }] });
  const writes = Array.from({ length: 2000 }, (_, index) => ({ collection: 'notes_v1', id: `n${index}`, position: 1, body: { projectId: 'p' } }));
  // The writer waits for the lock on the file, and the event loop must continue meanwhile.
  const holder = new DatabaseSync(file);
  holder.exec('BEGIN IMMEDIATE');
  const saved = store.save({ projector: 'notes', checkpoint: 1, writes }).then(() => 'saved');
  const turn = () => new Promise<string>((resolve) => setImmediate(resolve, 'turn'));
  for (let turns = 0; turns < 50; turns += 1) expect(await Promise.race([saved, turn()])).toBe('turn');
  holder.exec('ROLLBACK');
  holder.close();
  expect(await saved).toBe('saved');
  await store.close();
  await rm(folder, { recursive: true });
});

async function changeFormat(file: string): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version=99');
  db.close();
}

test('more documents than fit into the cache are all found, however often they are read together', async () => {
  const folder = await temporaryFolder();
  const store = await EmbeddedDocumentStore.open({ file: join(folder, 'read.db') });
  const notes = { name: 'notes_v1', indexes: [] };
  await store.declare(notes);
  const ids = Array.from({ length: 100 }, (_, at) => `n${at}`);
  const body = { text: 'la '.repeat(70_000) };
  await store.save({ projector: 'notes', checkpoint: 1, writes: ids.map((id) => ({ collection: notes.name, id, position: 1, body })) });
  const found: number[] = [];
  for (let round = 0; round < 3; round += 1) found.push((await store.getMany(notes.name, ids)).size);
  await store.close();
  await rm(folder, { recursive: true });
  expect(found).toEqual([100, 100, 100]);
});
