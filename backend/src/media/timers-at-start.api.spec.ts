import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Timers } from '../platform/timers/timers.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith, createProject } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';

const ABANDON = 'abandon-unfinished-project';
let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** Opens the vault of the stopped program. */
async function inVault(work: (vault: EmbeddedVault, timers: Timers) => Promise<void>): Promise<void> {
  const vault = await EmbeddedVault.open({ file: join(app.folder, 'vault.db') });
  await work(vault, await Timers.open(vault));
  await vault.close();
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

test('timers that came due while the program was stopped fire at start: projects without a version and old trash are removed', async () => {
  const before = await app.person('Ana');
  const unfinished = bodyOf(await createProject(before)).newProject._id;
  const { projectId, versionId } = await aProjectWith(before);
  await analysed(before, versionId);
  await app.reactorsIdle();
  const folder = `${before.uid}/ProjectMediaFiles/${projectId}/${versionId}`;
  const files = async (): Promise<number> => (await app.blobs()).filter((path) => path.startsWith(folder)).length;
  expect(await files()).toBeGreaterThan(1);
  await app.restart(() =>
    inVault(async (vault, timers) => {
      const timer = await timers.get(ABANDON, unfinished);
      expect([timer?.key, await timers.get(ABANDON, projectId)]).toEqual([unfinished, null]);
      await timers.set({ kind: ABANDON, key: unfinished, at: 1 });
      // As an earlier release left it, without timers.
      await vault.declare({ name: 'trash' });
      await vault.put('trash', 'old', { prefix: folder, deleteAt: 1, position: 1 });
    }),
  );
  const ana = new Person(app.url, before.token ?? '', before.uid, before.username);
  await until(async () => (await files()) === 0);
  await until(async () => (await ana.get(`/api/projects/${unfinished}/visitor/${ana.uid}`)).status === 404);
  expect((await ana.get(`/api/projects/${projectId}/visitor/${ana.uid}`)).status).toBe(200);
});

test('a file that an earlier version stored under its name is found at the start, without its name', async () => {
  const before = await app.person('Bea');
  const { projectId, versionId } = await aProjectWith(before);
  const folder = `${before.uid}/ProjectMediaFiles/${projectId}/${versionId}`;
  const audio = (): Promise<readonly string[]> => app.blobs().then((paths) => paths.filter((path) => path.startsWith(`${folder}/1_0`)));
  await app.restart(() =>
    inVault(async (vault) => {
      await vault.declare({ name: 'file-names' });
      expect(await vault.remove('file-names', 'removed')).toBe(true);
      await rename(join(app.folder, 'blobs', folder, '1_0-audio'), join(app.folder, 'blobs', folder, '1_0-low tide.wav'));
      expect(await audio()).toEqual([`${folder}/1_0-low tide.wav`]);
    }),
  );
  expect(await audio()).toEqual([`${folder}/1_0-audio`]);
  const bea = new Person(app.url, before.token ?? '', before.uid, before.username);
  expect((await bea.raw('HEAD', `/api/media/${versionId}/audio`)).status).toBe(200);
});
