import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccountAnswer, AccountsAnswer, SessionAnswer, StaffRole, UserInfoAnswer } from '@roughmix/contracts/users/user.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { TUTORIAL_PATHS } from '@roughmix/contracts/tutorial/tutorial.paths.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { createProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';
import { socketOf } from '../testing/test-socket.js';

const INFO = '_id dateAdded email firstName largePhoto lastName photoURL profileCompletion smallPhoto uid username';
const ACCOUNT = '_id dateAdded email firstName largePhoto lastName lastSeen photoURL profileCompletion projects smallPhoto staffRole uid username';
const START = Date.UTC(2026, 0, 1);
let clock = START;
let app: TestApp;
let firstLink: string;
let ana: Person;
let bea: Person;
let guest: Person;

beforeAll(async () => {
  app = await startApp({}, { clock: () => clock });
  firstLink = app.firstAccountLink ?? '';
  ana = await app.person('Ana');
  clock += 1_000;
  bea = await app.person('Bea', "O'Neil");
  guest = await app.guest();
});
afterAll(() => app.stop());

const changeRole = (uid: string, staffRole: unknown): Promise<Answer<AccountAnswer>> =>
  app.anonymous.put(`/api/admin/${app.adminKey}/users/${uid}/staffRole`, { staffRole });
const roleOf = async (who: Person): Promise<StaffRole | null> => bodyOf(await who.get<SessionAnswer>('/api/auth/session')).staffRole;
const list = (query = '', who = ana): Promise<Answer<AccountsAnswer>> => who.get(`/api/staff/accounts${query}`);
const names = async (query = ''): Promise<readonly string[]> => bodyOf(await list(query)).accounts.map(({ firstName }) => firstName);
const info = (uid: string): Promise<Answer<UserInfoAnswer>> => app.anonymous.post(`/api/admin/${app.adminKey}/users/getUserInfo`, { uid });

test('the link for the first account ends with any first account', async () => {
  const token = new URL(firstLink).hash.slice('#first='.length);
  expectRefused(await app.anonymous.post(USER_PATHS.firstAccount, { token, email: 'late@example.org', password: 'slow-ferry-19' }), 'invite.spent');
});

describe('a staff role', () => {
  test('is effective from the next request, and open sockets stay', async () => {
    const socket = await socketOf(bea);
    expect([await roleOf(bea), statusAndCode(await list('', bea))]).toEqual([null, '403 staff.required']);
    const given = await changeRole(bea.uid, 'admin');
    expect([given.status, keysOf(bodyOf(given).account).join(' '), given.body.account.staffRole]).toEqual([200, ACCOUNT, 'admin']);
    expect(Number(given.headers.get('x-position'))).toBeGreaterThan(0);
    expect([await roleOf(bea), statusAndCode(await list('', bea))]).toEqual(['admin', '200']);
    const again = await changeRole(bea.uid, 'admin');
    expect([again.status, again.headers.get('x-position')]).toEqual([200, null]);
    for (const role of ['support', 'analyst', null]) {
      expect(bodyOf(await changeRole(bea.uid, role)).account.staffRole).toBe(role);
      expect([await roleOf(bea), statusAndCode(await list('', bea))]).toEqual([role, '403 staff.required']);
    }
    expect(await socket.ask('login')).toMatchObject({ ok: true });
    socket.close();
  });

  test('survives a restart, which prints no link for a first account', async () => {
    await changeRole(ana.uid, 'admin');
    await app.restart();
    [ana, bea, guest] = [app.again(ana), app.again(bea), app.again(guest)];
    expect([await roleOf(ana), app.firstAccountLink]).toEqual(['admin', null]);
  });

  test.each<[what: string, body: unknown]>([
    ['another word', { staffRole: 'owner' }],
    ['nothing', {}],
    ['a number', { staffRole: 1 }],
    ['an unknown field', { staffRole: null, role: null }],
  ])('is refused as %s', async (_what, body) => {
    expect((await app.anonymous.put(`/api/admin/${app.adminKey}/users/${bea.uid}/staffRole`, body)).status).toBe(400);
  });

  test('is for accounts only, and needs the key', async () => {
    for (const uid of [guest.uid, 'nobody', 'bea.o%27neil@example.org']) expectRefused(await changeRole(uid, 'admin'), 'user.not-found');
    expectRefused(await ana.put(`/api/admin/${'k'.repeat(48)}/users/${bea.uid}/staffRole`, { staffRole: 'admin' }), 'admin.unauthorized', {
      instance: `/api/admin/***/users/${bea.uid}/staffRole`,
    });
  });
});

describe('the list of accounts', () => {
  beforeAll(async () => {
    await changeRole(ana.uid, 'admin');
    await createProject(ana);
    expect((await app.anonymous.post(TUTORIAL_PATHS.initializeContent(app.adminKey), { uid: bea.uid })).status).toBe(201);
  });

  test('shows every account, the newest first, with what only staff see; tutorials are not counted', async () => {
    const { accounts, next, total } = bodyOf(await list());
    expect(accounts.map((account) => keysOf(account).join(' '))).toEqual([ACCOUNT, ACCOUNT]);
    expect(accounts.map(({ email, staffRole, projects, dateAdded, profileCompletion }) => [email, staffRole, projects, dateAdded, profileCompletion])).toEqual([
      ["bea.o'neil@example.org", null, 0, START + 1_000, 1],
      ['ana.tester@example.org', 'admin', 1, START, 1],
    ]);
    expect([next, total]).toEqual([null, 2]);
  });

  test('tells when someone was last seen', async () => {
    clock += 60 * 60_000;
    await ana.get('/api/auth/session');
    expect(bodyOf(await list()).accounts.map(({ lastSeen }) => lastSeen)).toEqual([START + 1_000, clock]);
    await bea.post('/api/auth/logout');
    expect(bodyOf(await list()).accounts.map(({ lastSeen }) => lastSeen)).toEqual([clock, clock]);
  });

  test.each([
    ['?q=an', ['Ana']],
    ['?q=TEST', ['Ana']],
    ['?q=neil', ['Bea']],
    ['?q=bea.o', ['Bea']],
    ['?q=ANA.Tester@Example.org', ['Ana']],
    ['?q=example.org', []],
    ['?q=guest', []],
    ['?q=%20', ['Bea', 'Ana']],
  ])('%s finds %j', async (query, found) => {
    expect([await names(query), bodyOf(await list(query)).total]).toEqual([found, found.length]);
  });

  test('comes in pages', async () => {
    const first = bodyOf(await list('?limit=1'));
    expect([first.accounts.map(({ firstName }) => firstName), first.total]).toEqual([['Bea'], 2]);
    const second = bodyOf(await list(`?limit=1&before=${first.next ?? ''}`));
    expect([second.accounts.map(({ firstName }) => firstName), second.next, second.total]).toEqual([['Ana'], null, 2]);
  });

  test.each(['?limit=0', '?limit=101', '?before=x', `?q=${'x'.repeat(255)}`, '?q=a&q=b'])('%s is 400', async (query) => {
    expect(statusAndCode(await list(query))).toBe('400 request.invalid');
  });

  test('is for signed-in admins', async () => {
    expectRefused(await app.anonymous.get('/api/staff/accounts'), 'auth.required');
    expectRefused(await list('', guest), 'staff.required');
  });
});

describe('who an account belongs to', () => {
  test('is found by uid or email address, right after it was added', async () => {
    const cleo = await app.person('Cleo');
    for (const uid of [cleo.uid, ' Cleo.Tester@example.org']) {
      const { user } = bodyOf(await info(uid));
      expect([keysOf(user).join(' '), user.uid, user.email, user.profileCompletion]).toEqual([INFO, cleo.uid, 'cleo.tester@example.org', 1]);
    }
    expect(bodyOf(await list()).accounts[0]?.uid).toBe(cleo.uid);
    await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: cleo.uid });
    expect(bodyOf(await list()).total).toBe(2);
    for (const uid of [cleo.uid, 'cleo.tester@example.org']) expectRefused(await info(uid), 'user.not-found');
  });

  test('is 404 for the guest and for nobody', async () => {
    for (const uid of [guest.uid, 'nobody', 'nobody@example.org', '']) expectRefused(await info(uid), 'user.not-found');
  });
});

test('an address that an earlier version stored in plain text is sealed at the start, and still signs in', async () => {
  const email = 'ana.tester@example.org';
  await app.restart(async () => {
    const vault = await EmbeddedVault.open({ file: join(app.folder, 'vault.db') });
    for (const name of ['emails', 'reserved-emails']) await vault.declare({ name });
    const [reserved] = (await vault.find('reserved-emails', {})).filter(({ body }) => body['uid'] === ana.uid);
    expect(await vault.remove('reserved-emails', reserved?.id ?? '')).toBe(true);
    await vault.put('emails', email, { uid: ana.uid });
    await vault.close();
  });
  expect((await app.signIn(email, ana.username)).uid).toBe(ana.uid);
  for (const ending of ['', '-wal']) expect((await readFile(join(app.folder, `vault.db${ending}`), 'latin1')).includes(email)).toBe(false);
});
