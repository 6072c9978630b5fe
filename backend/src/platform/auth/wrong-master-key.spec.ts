import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from '../../testing/app.js';
import { startCompiled } from '../../testing/compiled.js';

let app: TestApp;
let folders: string;

beforeAll(async () => {
  app = await startApp();
  await app.person('Ana');
  folders = await mkdtemp(join(tmpdir(), 'roughmix-keys-'));
  // What a crash leaves behind: write-ahead logs with commits.
  await cp(app.folder, join(folders, 'crashed'), { recursive: true });
  await app.restart(() => cp(app.folder, join(folders, 'stopped'), { recursive: true }));
});
afterAll(async () => {
  await app.stop();
  await rm(folders, { recursive: true });
});

const contentsOf = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.toSorted().map(async (file) => [file, await readFile(file, 'base64')] as const)));
};

test.each(['stopped', 'crashed'])('the master key of another folder changes no file after the program %s', async (how) => {
  const DATA_DIR = join(folders, how);
  const before = await contentsOf(DATA_DIR);
  const environment = { DATA_DIR, ERASURES_FILE: join(DATA_DIR, 'erasures', 'erasures.ndjson'), PORT: '0', LOG_LEVEL: 'silent' };
  await expect(startCompiled({ ...environment, MASTER_KEY: 'another-key-1c6e0b9f7a52d483' })).rejects.toThrow('MASTER_KEY: not the key of this data folder');
  await expect(startCompiled(environment)).rejects.toThrow('MASTER_KEY: needed to open this data folder');
  expect(await contentsOf(DATA_DIR)).toEqual(before);
});
