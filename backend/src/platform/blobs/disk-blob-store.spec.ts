import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { blobStoreContract } from './blobs.contract.js';
import { DiskBlobStore } from './disk-blob-store.js';

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'roughmix-blobs-'));
const openAt = (folder: string) => DiskBlobStore.open({ folder, signingKey: Buffer.alloc(32, 7), publicPath: '/api/storage', clock: Date.now });

blobStoreContract('the folder', async () => {
  const folder = await temporaryFolder();
  return { open: () => openAt(folder), remove: () => rm(folder, { recursive: true }) };
});

test('the next start removes leftovers of unfinished writes and keeps finished files', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.tmp'));
  await writeFile(join(folder, '.tmp', 'half'), 'ha');
  await writeFile(join(folder, 'whole'), 'whole');
  const store = await openAt(folder);
  expect(await readdir(join(folder, '.tmp'))).toEqual([]);
  expect(await store.list('')).toEqual(['whole']);
  await rm(folder, { recursive: true });
});

test('empty folders are removed, and reads have no signed URL', async () => {
  const folder = await temporaryFolder();
  const store = await openAt(folder);
  await store.write('a/b/c', Buffer.from('x'));
  await store.write('a/d', Buffer.from('x'));
  expect(await store.signGet()).toBeNull();
  await store.move('a/b/c', 'e/c');
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(['.tmp', 'a', 'a/d', 'e', 'e/c']);
  await store.removePrefix('e');
  await store.remove('a/d');
  expect(await readdir(folder, { recursive: true })).toEqual(['.tmp']);
  await rm(folder, { recursive: true });
});
