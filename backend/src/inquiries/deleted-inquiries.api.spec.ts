import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UserRemovedAnswer } from '@roughmix/contracts/users/user.view.js';
import { operate } from '../testing/operate.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { outboxOf, outboxWith } from '../testing/outbox.js';
import { aProjectWith } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

const WORDS = { firstName: 'Quillmara', lastName: 'Featherlund', company: 'Tidehouse', phone: '+1555867', message_content: 'Sealedwords' };
const EMAIL = 'quillmara@example.org';
const DEADLINE_MS = 20_000;
const FILES = ['read.db', 'read.db-wal', 'vault.db', 'vault.db-wal', 'log.db', 'log.db-wal'];

const ask = async (app: TestApp, email: string): Promise<unknown> => bodyOf(await app.anonymous.post(INQUIRY_PATHS.inviteRequests, { email }));
const write = async (app: TestApp, reply_to: string): Promise<unknown> => bodyOf(await app.anonymous.post(INQUIRY_PATHS.contact, { ...WORDS, reply_to }));
const remove = (app: TestApp, uid: string): Promise<Answer<UserRemovedAnswer>> => app.anonymous.post(USER_PATHS.removeUser(app.adminKey), { uid });
const addresses = async (app: TestApp): Promise<readonly string[]> =>
  bodyOf(await app.anonymous.get<InviteRequestsAnswer>(INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey))).inviteRequests.map(({ email }) => email);

/** Waits for the chore that deletes old inquiries at the start. */
async function expectAddresses(app: TestApp, expected: readonly string[]): Promise<void> {
  for (const until = Date.now() + DEADLINE_MS; (await addresses(app)).length > expected.length && Date.now() < until;) await pause(10);
  expect(await addresses(app)).toEqual(expected);
}

/** The files of the stores that contain one of the words. */
async function traces(app: TestApp, words: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of FILES) {
    const bytes = (await readFile(join(app.folder, name))).toString('latin1').toLowerCase();
    found.push(...words.filter((word) => bytes.includes(word.toLowerCase())).map((word) => `${name}: ${word}`));
  }
  return found;
}

describe('removing', () => {
  let app: TestApp;
  let ana: Person;
  beforeAll(async () => {
    app = await startApp({ SUPPORT_EMAIL: 'help@roughmix.example', THROTTLE_INVITE_REQUESTS: '100', THROTTLE_CONTACT: '100' });
    ana = await app.person('Ana');
  });
  afterAll(() => app.stop());

  test('an address without an account deletes what it sent and the e-mails about it, in every file', async () => {
    await ask(app, EMAIL);
    await write(app, EMAIL);
    await ask(app, 'other@example.org');
    await outboxWith(app, 3);
    expect((await remove(app, ` ${EMAIL.toUpperCase()} `)).body).toEqual({
      message: 'Delete Confirmed',
      erased: null,
      removedProjects: [],
      keptProjects: [],
      inquiries: 2,
    });
    expect(await addresses(app)).toEqual(['other@example.org']);
    expect((await outboxOf(app)).filter(({ text }) => text.includes(EMAIL))).toEqual([]);
    expect(await traces(app, [EMAIL, 'quillmara', ...Object.values(WORDS)])).toEqual([]);
    expectRefused(await remove(app, EMAIL), 'user.not-removed');
  });

  test('a user, by uid or address, erases them and deletes what their address sent', async () => {
    const zora = await app.person('Zora');
    const { projectId } = await aProjectWith(zora);
    const { projectId: shared } = await aProjectWith(ana, { collaborators: [zora] });
    await ask(app, 'zora.tester@example.org');
    const removed = await remove(app, zora.uid);
    expect([removed.status, removed.body]).toEqual([
      200,
      { message: 'Delete Confirmed', erased: zora.uid, removedProjects: [projectId], keptProjects: [shared], inquiries: 1 },
    ]);
    expectRefused(await zora.get('/api/auth/session'), 'auth.required');
    for (const name of [zora.uid, 'zora.tester@example.org']) expectRefused(await remove(app, name), 'user.not-removed');
    const yves = await app.person('Yves');
    expect(bodyOf(await remove(app, 'yves.tester@example.org')).erased).toBe(yves.uid);
  });

  test('the guest, an unknown uid, and an unknown address are refused', async () => {
    const guest = await app.guest();
    for (const name of [guest.uid, 'nobodyNobodyNobody1234', 'nobody@example.org', '@', '__proto__']) {
      expectRefused(await remove(app, name), 'user.not-removed');
    }
  });

  test.each(['', ' '])('a blank name (%j) is invalid', async (name) => {
    expect(statusAndCode(await remove(app, name))).toBe('400 request.invalid');
  });

  test('an erasure by the operator deletes them too', async () => {
    const xenia = await app.person('Xenia');
    await ask(app, 'xenia.tester@example.org');
    bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: xenia.uid }));
    expect(await addresses(app)).toEqual(['other@example.org']);
  });
});

test('inquiries are deleted after INQUIRY_DAYS, in every file; younger ones stay', async () => {
  let now = 1_700_000_000_000;
  const app = await startApp({ INQUIRY_DAYS: '7' }, { clock: () => now });
  await ask(app, EMAIL);
  await write(app, EMAIL);
  now += 1;
  await ask(app, 'younger@example.org');
  now += 7 * 24 * 60 * 60_000 - 1;
  await app.restart();
  await expectAddresses(app, ['younger@example.org']);
  // The chore removes overwritten values from the files at its end.
  await app.restart();
  expect(await traces(app, ['quillmara', ...Object.values(WORDS)])).toEqual([]);
  await app.stop();
});

test('with INQUIRY_DAYS at 0, all are deleted at the start', async () => {
  const app = await startApp({ INQUIRY_DAYS: '0' });
  await ask(app, EMAIL);
  expect(await addresses(app)).toEqual([EMAIL]);
  await app.restart();
  await expectAddresses(app, []);
  await app.stop();
});

test('a restored backup does not bring back what was removed after it was made', async () => {
  const app = await startApp();
  await ask(app, EMAIL);
  await ask(app, 'stays@example.org');
  const environment = {
    DATA_DIR: app.folder,
    ERASURES_FILE: join(app.folder, 'erasures', 'erasures.ndjson'),
    LOG_LEVEL: 'silent',
    MASTER_KEY: 'specs-master-key-7d2c94f06be1a853',
  };
  const run = (changes: object, ...args: readonly string[]): Promise<number> =>
    operate(args, { ...environment, ...changes }, { out: new PassThrough().resume(), err: new PassThrough().resume(), signal: new AbortController().signal });
  const beside = await mkdtemp(join(tmpdir(), 'roughmix-restored-'));
  const [backups, restoredTo] = [join(beside, 'backups'), join(beside, 'data')];
  expect(await run({}, 'backup', '--to', backups)).toBe(0);
  bodyOf(await remove(app, EMAIL));
  expect(await run({ DATA_DIR: restoredTo }, 'restore', '--from', backups)).toBe(0);
  const restored = await startApp({ ...environment, DATA_DIR: restoredTo });
  expect(await addresses(restored)).toEqual(['stays@example.org']);
  await restored.stop();
  await app.stop();
  await rm(beside, { recursive: true });
});
