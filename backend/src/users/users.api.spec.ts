import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SessionAnswer, UserAddedAnswer, UserAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { PASSWORD, type Person, sessionIn, startApp, type TestApp } from '../testing/app.js';
import { compiled } from '../testing/compiled.js';
import { freePort } from '../testing/free-port.js';
import { createProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, TestClient, statusAndCode } from '../testing/test-client.js';
import type { Account } from './account-records.js';

const PERSON = '_id firstName largePhoto lastName photoURL smallPhoto uid username';
const SELF =
  '_id blocked connections coverPhoto createdDate dateAdded email firstName groupNotifications groups info isGuest largePhoto lastName photoURL position profileCompletion settings smallPhoto uid username';

let app: TestApp;
let ana: Person;
let guest: Person;

beforeAll(async () => {
  app = await startApp({ THROTTLE_ACCOUNT_PASSWORDS: '3', THROTTLE_ADMIN_KEYS: '50' });
  ana = await app.person('Ana');
  guest = await app.guest();
});
afterAll(() => app.stop());

const login = (email: string, password = PASSWORD, headers: Readonly<Record<string, string>> = {}): Promise<Answer<SessionAnswer>> =>
  app.anonymous.post('/api/auth/login', { email, password }, headers);
const add = (body: object, key = app.adminKey): Promise<Answer<UserAddedAnswer>> => app.anonymous.post(`/api/admin/${key}/users/addUser`, body);

describe('adding a user with the secret key', () => {
  test('returns 201 with the account', async () => {
    const answer = await add({ email: 'Max.Muster@Example.org', password: PASSWORD, firstName: 'Max', lastName: 'Muster' });
    expect([answer.status, keysOf(answer.body), keysOf(answer.body.user).join(' ')]).toEqual([201, ['message', 'user'], SELF]);
    expect(answer.body).toMatchObject({ message: 'Account Created.', user: { username: 'Max Muster', profileCompletion: 1, isGuest: false } });
    expect(answer.body.user._id).toBe(answer.body.user.uid);
    expect(statusAndCode(await login('max.muster@example.org'))).toBe('200');
  });

  test.each<[body: object, username: string, profileCompletion: number]>([
    [{ email: 'one.name@example.org', lastName: 'Holt' }, 'Holt', 0],
    [{ email: 'everyone@example.org', firstName: 'Everyone' }, 'Everyone2', 0],
    [{ email: 'other.max@example.org', firstName: 'Max', lastName: 'Muster' }, 'Max Muster2', 1],
    [{ email: 'chosen@example.org', username: 'Chosen One' }, 'Chosen One', 0],
    [{ email: 'long@example.org', firstName: 'L'.repeat(25), lastName: 'N'.repeat(25) }, `${'L'.repeat(25)} ${'N'.repeat(4)}`, 1],
  ])('%j gets the username %s', async (body, username, profileCompletion) => {
    const { user } = bodyOf(await add({ password: PASSWORD, ...body }));
    expect([user.username, user.profileCompletion]).toEqual([username, profileCompletion]);
  });

  test('without names makes up a username', async () => {
    const { user } = bodyOf(await add({ password: PASSWORD, email: 'no.names@example.org' }));
    expect([user.username, user.profileCompletion]).toEqual([expect.stringMatching(/^newcomer-[0-9a-f]{8}$/), 0]);
  });

  test.each<[body: object, word: string]>([
    [{ password: 'x'.repeat(7) }, '400 password.too-short'],
    [{ password: 'tide-and-42'.padEnd(129, 'x') }, '400 password.too-long'],
    [{ password: 'password' }, '400 password.too-common'],
    [{ password: 'with a space in' }, '400 password.space'],
    [{ firstName: 'Two Words' }, '400 name.space'],
    [{ lastName: 'Two\u2066Words' }, '400 name.space'],
    [{ email: 'nobody' }, '400 email.invalid'],
    [{ email: 'ana.tester@example.org' }, '409 user.email-taken'],
    [{ username: 'ana tester' }, '409 user.username-taken'],
    [{ other: 1 }, '400 request.unknown-field'],
    [{ email: 7 }, '400 request.invalid'],
    [{ firstName: '🎸'.repeat(26) }, '400 limit.firstName'],
    [{ lastName: 'N'.repeat(51) }, '400 limit.lastName'],
    [{ username: 'U'.repeat(31) }, '400 limit.username'],
  ])('%j is %s', async (body, word) => {
    expect(statusAndCode(await add({ email: 'new@example.org', password: PASSWORD, ...body }))).toBe(word);
  });

  test('with a wrong key returns 401 on every path below it, and does not reveal the key', async () => {
    for (const path of ['/users/addUser', '/nothing', '/users/removeUser/x']) {
      const answer = await app.anonymous.post(`/api/admin/${'wrong'.repeat(6)}${path}`, {});
      expectRefused(answer, 'admin.unauthorized', { instance: `/api/admin/***${path}` });
      expect(answer.body).toMatchObject({ detail: 'Unauthorized' });
    }
    expectRefused(await app.anonymous.get(`/api/admin/${app.adminKey}/nothing`), 'route.not-found', { instance: '/api/admin/***/nothing' });
    expect(
      statusAndCode(
        await new TestClient(app.url, guest.token).post(`/api/admin/${app.adminKey}/users/addUser`, {
          email: 'with.a.session@example.org',
          password: PASSWORD,
        }),
      ),
    ).toBe('201');
  });
});

describe('signing in', () => {
  test('returns the user and sets an HttpOnly, SameSite cookie', async () => {
    const answer = await login('ana.tester@example.org');
    expect([answer.status, keysOf(answer.body), keysOf(answer.body.user).join(' '), answer.body.staffRole]).toEqual([200, ['staffRole', 'user'], SELF, null]);
    expect(answer.body.user).toMatchObject({ email: 'ana.tester@example.org', uid: ana.uid });
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('roughmix_session=')) ?? '';
    expect(cookie).toMatch(/^roughmix_session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const session = await app.anonymous.get<SessionAnswer>('/api/auth/session', { Cookie: `roughmix_session=${sessionIn(answer.headers)}` });
    const { quota, ...likeLogin } = bodyOf(session);
    expect([session.status, likeLogin, keysOf(quota ?? {})]).toEqual([200, answer.body, ['bytes', 'projects', 'versionsPerProject']]);
  });

  test('with a wrong password or an unknown address returns the same 401, and is throttled after a while, even with the right password', async () => {
    const zoe = await app.person('Zoe');
    expectRefused(await login('nobody@example.org'), 'auth.failed');
    for (let nth = 0; nth < 3; nth += 1) expectRefused(await login('zoe.tester@example.org', 'wrong-password'), 'auth.failed');
    const over = await login('zoe.tester@example.org');
    expect([statusAndCode(over), Number(over.headers.get('retry-after')) > 0]).toEqual(['429 throttled', true]);
    expect(statusAndCode(await zoe.get('/api/auth/session'))).toBe('200');
    expect(statusAndCode(await login('ana.tester@example.org'))).toBe('200');
  });

  test('ends the session that was sent along', async () => {
    const before = await app.signIn('ana.tester@example.org', 'Ana');
    expect(statusAndCode(await before.post('/api/auth/login', { email: 'ana.tester@example.org', password: PASSWORD }))).toBe('200');
    expectRefused(await before.get(`/api/projects/${ana.uid}`), 'auth.required');
  });

  test('a bad Bearer token is 401 whatever the cookie', async () => {
    const headers = { Cookie: `roughmix_session=${ana.token ?? ''}` };
    expect(statusAndCode(await app.anonymous.get('/api/auth/session', headers))).toBe('200');
    expectRefused(await new TestClient(app.url, 'bad').get('/api/auth/session', headers), 'auth.required');
  });

  test('signing out returns 204 and ends the session at once', async () => {
    const again = await app.signIn('ana.tester@example.org', 'Ana');
    expect(statusAndCode(await again.post('/api/auth/logout'))).toBe('204');
    for (const path of ['/api/auth/session', `/api/projects/${ana.uid}`]) expectRefused(await again.get(path), 'auth.required');
    expectRefused(await again.post('/api/auth/logout'), 'auth.required');
  });

  test('as the guest needs no account and is read-only', async () => {
    expect(bodyOf(await guest.get<SessionAnswer>('/api/auth/session')).user).toMatchObject({ uid: guest.uid, isGuest: true });
    const refused = await createProject(guest);
    expectRefused(refused, 'guest.read-only');
    expect((await app.guest()).uid).toBe(guest.uid);
  });
});

describe('users', () => {
  test('see their own profile in full, and only the public fields of others', async () => {
    expect(keysOf(bodyOf(await ana.get<UserAnswer>(`/api/users/auth/${ana.uid}`)).user).join(' ')).toBe(SELF);
    const { users } = bodyOf(await ana.get<UsersAnswer>('/api/users/search?q=zoe'));
    expect(users.map((person) => [keysOf(person).join(' '), person.username])).toEqual([[PERSON, 'Zoe Tester']]);
  });

  test.each([
    ['q=ana', 'oneself', '200 0'],
    ['q=guest', 'the guest', '200 0'],
    ['q=example.org', 'email addresses', '200 0'],
    ['q=z', 'one character', '400'],
    [`q=${'z'.repeat(51)}`, '51 characters', '400'],
    ['', 'nothing', '400'],
  ])('a search with %s (%s) is %s', async (query, _what, expected) => {
    const { status, body } = await ana.get<{ users?: unknown[] }>(`/api/users/search?${query}`);
    expect(status === 200 ? `200 ${body.users?.length ?? ''}` : String(status)).toBe(expected);
  });

  test('have a face that anyone may fetch', async () => {
    const face = await app.anonymous.raw('GET', `/api/users/${ana.uid}/photo`);
    expect([face.status, face.headers.get('content-type'), face.headers.get('cache-control')]).toEqual([200, 'image/svg+xml', 'private, no-cache']);
    expect(await face.text()).toContain('<svg');
  });
});

test('the program in production hashes passwords at full cost and verifies them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-full-cost-'));
  const environment = {
    DATA_DIR: folder,
    ERASURES_FILE: join(folder, 'erasures.ndjson'),
    PORT: await freePort(),
    LOG_LEVEL: 'silent',
    ADMIN_KEY: app.adminKey,
  };
  const { startProgram } = await compiled<typeof import('../run.js')>('run.js');
  const program = await startProgram(environment);
  const client = new TestClient(program.address);
  const added = await client.post<UserAddedAnswer>(`/api/admin/${app.adminKey}/users/addUser`, { email: 'full@example.org', password: PASSWORD });
  expect([added.status, statusAndCode(await client.post('/api/auth/login', { email: 'full@example.org', password: PASSWORD }))]).toEqual([201, '200']);
  await program.stop();
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db') });
  await vault.declare({ name: 'accounts', indexes: ['state'] });
  const account = await vault.get<Account>('accounts', bodyOf(added).user.uid);
  await vault.close();
  await rm(folder, { recursive: true });
  expect(account?.body.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
