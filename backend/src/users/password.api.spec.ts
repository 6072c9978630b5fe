import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import { PASSWORD, type Person, sessionIn, startApp, type TestApp } from '../testing/app.js';
import { type Answer, bodyOf, cookiesOf, expectRefused, statusAndCode, TestClient } from '../testing/test-client.js';

const CHOSEN = 'brushes-on-a-snare';
let app: TestApp;
let clock = Date.UTC(2026, 0, 1);
let nth = 0;
let email: string;
let ana: Person;

beforeAll(async () => {
  app = await startApp({ THROTTLE_ADDRESS_PASSWORDS: '1000' }, { clock: () => clock });
});
beforeEach(async () => {
  nth += 1;
  clock += 60 * 60_000;
  ana = await app.person(`Ana${nth}`);
  email = `ana${nth}.tester@example.org`;
});
afterAll(() => app.stop());

const change = (who: TestClient, currentPassword: string, newPassword = CHOSEN, headers: Record<string, string> = {}): Promise<Answer> =>
  who.post('/api/auth/password', { currentPassword, newPassword }, headers);
const login = (password: string, headers: Record<string, string> = {}): Promise<Answer> => app.anonymous.post('/api/auth/login', { email, password }, headers);
/** The cookies of a new browser in which Ana signed in. */
const browser = async (): Promise<{ readonly Cookie: string }> => cookiesOf(await login(PASSWORD));

describe('changing the password', () => {
  test('renews the id of the session and ends every other one', async () => {
    const other = await app.signIn(email, ana.username);
    const changed = await change(ana, PASSWORD);
    expect([changed.status, changed.body]).toEqual([204, '']);
    const renewed = new TestClient(app.url, sessionIn(changed.headers));
    expect(bodyOf(await renewed.get<SessionsAnswer>('/api/auth/sessions')).sessions).toMatchObject([{ current: true }]);
    for (const ended of [ana, other]) expectRefused(await ended.get('/api/auth/session'), 'auth.required');
    expect([statusAndCode(await login(PASSWORD)), statusAndCode(await login(CHOSEN))]).toEqual(['401 auth.failed', '200']);
  });

  test('keeps device cookies: a known browser still has its own attempts', async () => {
    const headers = await browser();
    expect((await change(app.anonymous, PASSWORD, CHOSEN, headers)).status).toBe(204);
    for (let time = 0; time < 10; time += 1) await login('wrong-password');
    expect([statusAndCode(await login(CHOSEN)), statusAndCode(await login(CHOSEN, headers))]).toEqual(['429 throttled', '200']);
  });

  test('at the same time in two browsers succeeds in one, whose session goes on, and the other one hears that the password is incorrect', async () => {
    const browsers = [ana, await app.signIn(email, ana.username)];
    const answers = await Promise.all(browsers.map((who, at) => change(who, PASSWORD, `${CHOSEN}-${at}`)));
    expect(answers.map(statusAndCode).toSorted()).toEqual(['204', '403 password.incorrect']);
    const winner = answers.findIndex(({ status }) => status === 204);
    const renewed = new TestClient(app.url, sessionIn(answers[winner]?.headers ?? new Headers()));
    expect(bodyOf(await renewed.get<SessionsAnswer>('/api/auth/sessions')).sessions).toMatchObject([{ current: true }]);
    expect(statusAndCode(await login(`${CHOSEN}-${winner}`))).toBe('200');
  });

  test.each([
    ['a wrong current password', 'wrong-password', CHOSEN, '403 password.incorrect'],
    ['a wrong current password, before the new one is looked at', 'wrong-password', 'x', '403 password.incorrect'],
    ['the same password', PASSWORD, PASSWORD, '400 password.unchanged'],
    ['a short password', PASSWORD, 'x'.repeat(7), '400 password.too-short'],
    ['a common password', PASSWORD, 'password', '400 password.too-common'],
    ['a space', PASSWORD, 'tide and reef', '400 password.space'],
  ])('is refused for %s, and the session stays', async (_what, current, chosen, expected) => {
    expect(statusAndCode(await change(ana, current, chosen))).toBe(expected);
    expect((await ana.get('/api/auth/session')).status).toBe(200);
    expect(statusAndCode(await login(PASSWORD))).toBe('200');
  });

  test('is refused for the guest and without a session', async () => {
    expectRefused(await change(await app.guest(), PASSWORD), 'guest.read-only');
    expectRefused(await change(app.anonymous, PASSWORD), 'auth.required');
  });
});

describe('after ten wrong current passwords', () => {
  test('the call is throttled in known browsers too, which can still sign in', async () => {
    const headers = await browser();
    for (let time = 0; time < 10; time += 1) expect(statusAndCode(await change(app.anonymous, 'wrong', CHOSEN, headers))).toBe('403 password.incorrect');
    const throttled = await change(app.anonymous, PASSWORD, CHOSEN, headers);
    expect([statusAndCode(throttled), Number(throttled.headers.get('retry-after')) > 0]).toEqual(['429 throttled', true]);
    expect(statusAndCode(await app.anonymous.post('/api/auth/password', {}, headers))).toBe('429 throttled');
    expect([statusAndCode(await login(PASSWORD)), statusAndCode(await login(PASSWORD, headers))]).toEqual(['429 throttled', '200']);
    clock += 15 * 60_000;
    expect((await change(app.anonymous, PASSWORD, CHOSEN, await browser())).status).toBe(204);
  });

  test('another account can change its password', async () => {
    const bob = await app.person(`Bob${nth}`);
    for (let time = 0; time < 10; time += 1) await change(ana, 'wrong');
    expect([statusAndCode(await change(ana, PASSWORD)), (await change(bob, PASSWORD)).status]).toEqual(['429 throttled', 204]);
  });

  test('of twenty at once exactly ten are compared', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(ana, 'wrong')));
    expect(answers.map(statusAndCode).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => '403 password.incorrect'),
      ...Array.from({ length: 10 }, () => '429 throttled'),
    ]);
  });
});
