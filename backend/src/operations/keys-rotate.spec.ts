import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rotateMasterKey, WRAPPED } from '../platform/auth/key-rotation.js';
import { planFor } from '../platform/auth/rotation-plan.js';
import { peekRecord } from '../platform/vault/peek-record.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { readVault } from '../platform/vault/vault-copy.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { TestClient } from '../testing/test-client.js';
import { operate } from '../testing/operate.js';

const GIVEN = 'a-new-master-key-8a41f0c96d2e';

let app: TestApp;
let ana: Person;

beforeEach(async () => {
  // The key is master.key in the data folder.
  app = await startApp({ MASTER_KEY: '' });
  ana = await app.person('Ana');
});
afterEach(() => app.stop());

const run = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}, signal = new AbortController().signal) => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const all = { DATA_DIR: app.folder, ERASURES_FILE: join(app.folder, 'erasures', 'erasures.ndjson'), ...environment };
  const code = await operate(args, all, { out, err, signal });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
};
const rotate = (environment?: NodeJS.ProcessEnv, signal?: AbortSignal) => run(['keys', 'rotate'], environment, signal);
const masterKey = async (): Promise<string> => (await readFile(join(app.folder, 'master.key'), 'utf8')).trim();
const contents = async (): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(app.folder)).filter((name) => /^(?:vault|log|master|admin)/.test(name) && !name.endsWith('.lock')).toSorted();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(app.folder, name), 'base64')] as const)));
};
/** Sealed under a data key of hers. */
const nameOfAna = async (): Promise<unknown> =>
  (await new TestClient(app.url, ana.token).get<{ user: { firstName: string } }>('/api/auth/session')).body.user.firstName;
const DONE =
  /^\{"channel":"security","time":\d+,"event":"key\.rotated","actor":"operator","address":null,"target":"master-key","outcome":"ok","requestId":null\}\n(\d+) keys are wrapped by the new master key\n$/;

test('replaces master.key by a random key; the program goes on with it, and a rotation beside it is refused', async () => {
  const before = await masterKey();
  expect(await rotate()).toEqual({ code: 2, out: '', err: `keys rotate: a program has ${app.folder} open; stop it first\n` });
  await app.restart(async () => {
    const { code, out } = await rotate();
    expect({ code, isDone: DONE.test(out) }).toEqual({ code: 0, isDone: true });
  });
  expect(await masterKey()).not.toBe(before);
  expect(await readdir(app.folder)).not.toContain('master.key.new');
  expect(await nameOfAna()).toBe('Ana');
});

test('replaces master.key by a given key, once', async () => {
  await app.restart(async () => {
    expect((await rotate({ NEW_MASTER_KEY: GIVEN })).code).toBe(0);
    expect(await masterKey()).toBe(GIVEN);
    expect((await rotate({ NEW_MASTER_KEY: GIVEN })).out).toBe('nothing to do: the new master key already opens this vault\n');
  });
  expect(await nameOfAna()).toBe('Ana');
});

test('changes no file of the data when the old key is wrong or missing, or the new one is weak or missing', async () => {
  await app.restart(async () => {
    const before = await contents();
    const old = await masterKey();
    expect(await rotate({ MASTER_KEY: 'another-key-1c6e0b9f7a52d483', NEW_MASTER_KEY: GIVEN })).toEqual({
      code: 2,
      out: '',
      err: 'keys rotate: MASTER_KEY: not the key of this vault\n',
    });
    expect((await rotate({ MASTER_KEY: old })).err).toBe(
      'keys rotate: NEW_MASTER_KEY or NEW_MASTER_KEY_FILE: needed, because MASTER_KEY is not in the data folder\n',
    );
    expect((await rotate({ NEW_MASTER_KEY: 'weak' })).code).toBe(2);
    await writeFile(join(app.folder, 'master.key'), 'another-key-1c6e0b9f7a52d483\n');
    expect((await rotate()).err).toBe('keys rotate: MASTER_KEY: not the key of this vault\n');
    await writeFile(join(app.folder, 'master.key'), `${old}\n`);
    expect(await contents()).toEqual(before);
  });
});

test('interrupted at the first key, keeps program and backup from running, and is completed by running it again', async () => {
  await app.restart(async () => {
    const interrupted = await rotate({}, AbortSignal.abort());
    expect(interrupted).toEqual({ code: 2, out: '', err: 'keys rotate: interrupted; run it again with the same keys\n' });
    const unfinished = 'the rotation of the master key is unfinished: run operate -- keys rotate again, with the same keys';
    await expect(run(['users', 'erase', ana.uid])).rejects.toThrow(unfinished);
    const backups = await mkdtemp(join(tmpdir(), 'roughmix-backups-'));
    await expect(run(['backup', '--to', backups])).rejects.toThrow(unfinished);
    expect(await readdir(backups)).toEqual([]);
    await rm(backups, { recursive: true });
    const { code, out } = await rotate();
    expect({ code, isDone: DONE.test(out) }).toEqual({ code: 0, isDone: true });
  });
  expect(await nameOfAna()).toBe('Ana');
});

test('interrupted after the new key is in place, keeps that key', async () => {
  await app.restart(async () => {
    const file = join(app.folder, 'vault.db');
    const config = { DATA_DIR: app.folder, MASTER_KEY: null, NEW_MASTER_KEY: null };
    const plan = await planFor(config, (collection, id) => peekRecord(file, collection, id));
    const vault = await EmbeddedVault.open({ file });
    const finished = (): never => {
      throw new Error('killed');
    };
    await expect(rotateMasterKey(vault, plan, { signal: new AbortController().signal, place: () => plan.place(), finished })).rejects.toThrow('killed');
    await vault.close();
    const placed = await masterKey();
    expect((await rotate()).code).toBe(0);
    expect(await masterKey()).toBe(placed);
  });
  expect(await nameOfAna()).toBe('Ana');
});

test('every record with a wrapped key belongs to a kind that the rotation covers', async () => {
  await app.restart(async () => {
    const found = await readVault(join(app.folder, 'vault.db'), (content) =>
      Promise.resolve(content.collections.filter(({ name }) => [...content.records(name)].some(({ body }) => 'wrapped' in body)).map(({ name }) => name)),
    );
    const known = WRAPPED.map(({ name }) => name);
    expect(found).toEqual(['data-keys', 'vault-keys']);
    expect(found.filter((name) => !known.includes(name))).toEqual([]);
  });
});
