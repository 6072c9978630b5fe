import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SelfView, SessionAnswer, UpdatedUserAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { PASSWORD, type Person, sessionIn, startApp, type TestApp } from '../testing/app.js';
import { outboxEmails } from '../testing/outbox.js';
import { type Answer, bodyOf, expectRefused, statusAndCode, TestClient } from '../testing/test-client.js';
import { socketOf } from '../testing/test-socket.js';
import { withPhoto } from '../testing/with-photo.js';
import type { Account } from './account-records.js';

const NEW_PASSWORD = 'slow-tide-and-5-reefs';
const emailOf = (name: string): string => `${name}@example.org`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ THROTTLE_ADDRESS_PASSWORDS: '1000' });
});
afterAll(() => app.stop());

/** A new account without names, as the register page makes it. */
async function invited(name: string): Promise<Person> {
  const { user } = bodyOf(await app.anonymous.post<UserAddedAnswer>(`/api/admin/${app.adminKey}/users/addUser`, { email: emailOf(name), password: PASSWORD }));
  return app.signIn(emailOf(name), user.username);
}

describe('the link that the start prints', () => {
  const makeFirst = (token: string, email: string, password = PASSWORD): Promise<Answer<SessionAnswer>> =>
    app.anonymous.post(USER_PATHS.firstAccount, { token, email, password, timeZone: 'Europe/Berlin' });
  const token = (): string => new URL(app.firstAccountLink ?? '').hash.slice('#first='.length);

  test('opens the register page of PUBLIC_URL, with a token that no server sees', () => {
    expect(app.firstAccountLink).toMatch(/^http:\/\/localhost:\d+\/rwmsl9j7-register#first=[\w-]{43}$/);
  });

  test('makes the first account, an admin’s, whom the welcome page awaits; mistakes do not spend it', async () => {
    expectRefused(await makeFirst('x'.repeat(43), emailOf('first')), 'invite.spent');
    expectRefused(await makeFirst(token(), emailOf('first'), 'short'), 'password.too-short', { field: 'password' });
    const made = await makeFirst(token(), emailOf('first'));
    expect([made.status, made.body.staffRole, made.body.user.email, made.body.user.profileCompletion]).toEqual([201, 'admin', emailOf('first'), 0]);
    const session = new TestClient(app.url, sessionIn(made.headers));
    expect(bodyOf(await session.get<SessionAnswer>(USER_PATHS.session)).user.uid).toBe(made.body.user.uid);
    expect((await session.get('/api/staff/accounts')).status).toBe(200);
    expect(statusAndCode(await app.anonymous.post(USER_PATHS.login, { email: emailOf('first'), password: PASSWORD }))).toBe('200');
  });

  test('works once', async () => {
    expectRefused(await makeFirst(token(), emailOf('second')), 'invite.spent');
  });
});

const send = (who: Person, form: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer<UpdatedUserAnswer>> =>
  who.put(`/api/users/${who.uid}`, form, headers);
const form = (changes: object = {}): object => ({ firstName: 'Maren', lastName: 'Holt', newPassword: NEW_PASSWORD, ...changes });
const self = async (who: Person): Promise<SelfView> => bodyOf(await who.get<SessionAnswer>('/api/auth/session')).user;
const login = async (name: string, password: string): Promise<string> =>
  statusAndCode(await app.anonymous.post('/api/auth/login', { email: emailOf(name), password }));

describe('the welcome form', () => {
  test('completes the profile, derives the username and replaces the temporary password, which an e-mail reports', async () => {
    const maren = await withPhoto(await invited('maren'));
    expect(await self(maren)).toMatchObject({ profileCompletion: 0, username: maren.username });
    const elsewhere = await app.signIn(emailOf('maren'), 'maren');
    const socket = await socketOf(elsewhere);
    const answer = await send(maren, form({ username: '  ' }));
    expect([answer.status, answer.headers.get('x-position')]).toEqual([200, String(answer.body.updatedUser.position)]);
    expect(answer.body.updatedUser).toMatchObject({ username: 'Maren Holt', firstName: 'Maren', lastName: 'Holt', profileCompletion: 1 });
    expect(await self(maren)).toEqual(answer.body.updatedUser);
    expectRefused(await elsewhere.get('/api/auth/session'), 'auth.required');
    await socket.disconnected();
    const [notice] = await outboxEmails(app, 'Your password was changed');
    expect(notice?.headers).toMatchObject({ to: emailOf('maren') });
    expect([await login('maren', PASSWORD), await login('maren', NEW_PASSWORD)]).toEqual(['401 auth.failed', '200']);
    expectRefused(await send(maren, form()), 'profile.completed');
    expect(await login('maren', NEW_PASSWORD)).toBe('200');
  });

  test('numbers a derived username that is taken', async () => {
    const holt = await withPhoto(await invited('holt'));
    expect(bodyOf(await send(holt, form({ firstName: 'Holt', lastName: 'X' }))).updatedUser.username).toBe('Holt X');
    const second = await withPhoto(await invited('second'));
    expect(bodyOf(await send(second, form({ firstName: 'Holt', lastName: 'X' }))).updatedUser.username).toBe('Holt X2');
    const third = await withPhoto(await invited('third'));
    expect(bodyOf(await send(third, form({ username: 'Third Reef' }))).updatedUser.username).toBe('Third Reef');
  });

  test('is checked in the order of the spec', async () => {
    const olga = await invited('olga');
    const wrong = { firstName: 'Two words', newPassword: 'short', username: 'everyone' };
    const order: [body: object, word: string][] = [
      [{ ...wrong, lastName: '' }, '400 request.invalid'],
      [{ newPassword: 'short' }, '400 request.invalid'],
      [form({ ...wrong, lastName: 'x'.repeat(51) }), '400 limit.lastName'],
      [form({ ...wrong, username: 'x'.repeat(31) }), '400 limit.username'],
      [form(wrong), '400 name.space'],
      [form({ ...wrong, firstName: 'Olga' }), '400 password.too-short'],
      [form({ username: 'everyone', newPassword: 'with a space in' }), '400 password.space'],
      [form({ username: 'everyone', newPassword: 'password1' }), '400 password.too-common'],
      [form({ username: 'everyone', newPassword: PASSWORD }), '400 password.unchanged'],
      [form({ username: 'everyone' }), '400 photo.required'],
    ];
    for (const [body, word] of order) expect(statusAndCode(await send(olga, body))).toBe(word);
    await withPhoto(olga);
    expect(statusAndCode(await send(olga, form({ username: 'o_l' })))).toBe('400 username.invalid');
    expect(statusAndCode(await send(olga, form({ username: 'everyone' })))).toBe('409 user.username-taken');
    expect([(await self(olga)).profileCompletion, await login('olga', PASSWORD)]).toEqual([0, '200']);
    expect(statusAndCode(await send(olga, form({ firstName: 'Olga' })))).toBe('200');
  });

  test('without a new password the profile stays incomplete, and a missing username unchanged', async () => {
    const pia = await withPhoto(await invited('pia'));
    expect(bodyOf(await send(pia, { firstName: 'Pia', lastName: 'Holt' })).updatedUser).toMatchObject({ username: pia.username, profileCompletion: 0 });
  });

  test('is refused to an account that had both names from the start', async () => {
    const quinn = await app.person('Quinn');
    for (const body of [form(), { newPassword: NEW_PASSWORD }]) expectRefused(await send(quinn, body), 'profile.completed');
  });

  test('sent twice at once is accepted once', async () => {
    const rosa = await withPhoto(await invited('rosa'));
    const key = { 'Idempotency-Key': 'welcome-rosa' };
    const answers = await Promise.all([send(rosa, form({ firstName: 'Rosa' }), key), send(rosa, form({ firstName: 'Rosa' }), key)]);
    expect(answers.map(statusAndCode)).toEqual(['200', '200']);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });
});

/** Restarts as after a crash of the form when it had set the password that the account has now; first does something to the vault. */
const crashInForm = (uid: string, meanwhile: (vault: EmbeddedVault) => Promise<void> = () => Promise.resolve()): Promise<void> =>
  app.restart(async () => {
    const vault = await EmbeddedVault.open({ file: join(app.folder, 'vault.db') });
    await vault.declare({ name: 'accounts', indexes: ['state'] });
    await meanwhile(vault);
    const account = await vault.get<Account>('accounts', uid);
    if (account !== null) await vault.replace('accounts', uid, account.version, { ...account.body, isWelcoming: true });
    await vault.close();
  });

test('after a crash between the password and the event the form can be sent again', async () => {
  const sven = await withPhoto(await invited('sven'));
  await crashInForm(sven.uid);
  const again = app.again(sven);
  expect(bodyOf(await send(again, form({ firstName: 'Sven', newPassword: PASSWORD }))).updatedUser.profileCompletion).toBe(1);
  expect(await login('sven', PASSWORD)).toBe('200');
});

test('sent again after a crash, the form ends the invite link and other sessions that the crash left', async () => {
  const tove = await withPhoto(await invited('tove'));
  const elsewhere = await app.signIn(emailOf('tove'), 'tove');
  const token = 'a-token-of-an-e-mailed-link';
  await crashInForm(tove.uid, async (vault) => {
    const hash = createHash('sha256').update(token).digest('base64url');
    await vault.declare({ name: 'link-tokens', indexes: ['hash', 'uid'] });
    await vault.insert('link-tokens', `invite:${tove.uid}`, {
      kind: 'invite',
      uid: tove.uid,
      hash,
      expiresAt: Date.now() + 60_000,
      issued: [],
      sessionId: null,
    });
  });
  const again = app.again(tove);
  expect(bodyOf(await send(again, form({ firstName: 'Tove', newPassword: PASSWORD }))).updatedUser.profileCompletion).toBe(1);
  expect(statusAndCode(await app.anonymous.post(USER_PATHS.invite(token)))).toBe('410 invite.spent');
  expect([(await self(again)).uid, statusAndCode(await app.again(elsewhere).get('/api/auth/session'))]).toEqual([tove.uid, '401 auth.required']);
});
