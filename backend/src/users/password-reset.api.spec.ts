import { afterEach, describe, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { PASSWORD, type Person, startApp, type TestApp } from '../testing/app.js';
import { linkedToken, outboxEmails, outboxOf } from '../testing/outbox.js';
import { manualClock } from '../testing/manual-clock.js';
import { type Answer, cookiesOf, expectRefused, statusAndCode } from '../testing/test-client.js';

const CHOSEN = 'brushes-on-a-snare';
const HOUR_MS = 60 * 60_000;
const ANA = 'ana.tester@example.org';

let app: TestApp;
let clock: ReturnType<typeof manualClock>;
afterEach(() => app.stop());

async function begin(environment: NodeJS.ProcessEnv = {}): Promise<Person> {
  clock = manualClock();
  app = await startApp({ PUBLIC_URL: 'http://mix.example', ...environment }, { clock: clock.now });
  return app.person('Ana');
}
const request = (email: string): Promise<Answer> => app.anonymous.post(USER_PATHS.passwordReset, { email });
const reset = (token: string, newPassword = CHOSEN): Promise<Answer> => app.anonymous.post(USER_PATHS.passwordResetWith(token), { newPassword });
const signIn = async (password: string, headers: Record<string, string> = {}): Promise<string> =>
  statusAndCode(await app.anonymous.post(USER_PATHS.login, { email: ANA, password }, headers));

/** The token of the newest reset e-mail, once there are as many. */
const mailedToken = async (count = 1): Promise<string> => linkedToken((await outboxEmails(app, 'Reset your password', count)).at(-1), 'passwordReset');

test('a reset by the e-mailed link sets the password and ends every session; a second use is refused, before any check of the password', async () => {
  const ana = await begin();
  expect(await request(` ${ANA.toUpperCase()} `)).toMatchObject({ status: 200, body: { message: 'A link has been sent to the email provided' } });
  const token = await mailedToken();
  expect(statusAndCode(await reset(token, 'short'))).toBe('400 password.too-short');
  expect(await reset(token)).toMatchObject({ status: 204 });
  expect(statusAndCode(await ana.get(USER_PATHS.session))).toBe('401 auth.required');
  expect([await signIn(PASSWORD), await signIn(CHOSEN)]).toEqual(['401 auth.failed', '200']);
  for (const password of [CHOSEN, 'short']) expect(statusAndCode(await reset(token, password))).toBe('410 reset.spent');
  const [notice] = await outboxEmails(app, 'Your password was changed');
  expect(notice?.headers).toMatchObject({ to: ANA, 'auto-submitted': 'auto-generated', from: 'Roughmix <noreply@mix.example>' });
});

test('a reset starts new counters of wrong passwords and forgets the browsers that signed in before', async () => {
  await begin();
  const cookie = cookiesOf(await app.anonymous.post(USER_PATHS.login, { email: ANA, password: PASSWORD }));
  await request(ANA);
  const token = await mailedToken();
  const tenWrong = async (): Promise<void> => {
    for (let time = 0; time < 10; time += 1) expect(await signIn('wrong-password')).toBe('401 auth.failed');
  };
  await tenWrong();
  expect([await signIn(PASSWORD), await signIn(PASSWORD, cookie)]).toEqual(['429 throttled', '200']);
  expect((await reset(token)).status).toBe(204);
  const renewed = await app.anonymous.post(USER_PATHS.login, { email: ANA, password: CHOSEN });
  expect(statusAndCode(renewed)).toBe('200');
  await tenWrong();
  expect([await signIn(CHOSEN), await signIn(CHOSEN, cookie), await signIn(CHOSEN, cookiesOf(renewed))]).toEqual(['429 throttled', '429 throttled', '200']);
});

describe('a token is spent', () => {
  test('after an hour', async () => {
    await begin();
    await request(ANA);
    const token = await mailedToken();
    clock.move(HOUR_MS);
    expect(statusAndCode(await reset(token))).toBe('410 reset.spent');
  });

  test('when a newer one is e-mailed, but the fourth request in an hour e-mails none', async () => {
    await begin();
    await request(ANA);
    const first = await mailedToken();
    clock.move(1_000);
    await request(ANA);
    const second = await mailedToken(2);
    clock.move(1_000);
    await request(ANA);
    const third = await mailedToken(3);
    clock.move(1_000);
    expect(await request(ANA)).toMatchObject({ status: 200, body: { message: 'A link has been sent to the email provided' } });
    for (const token of [first, second]) expect(statusAndCode(await reset(token))).toBe('410 reset.spent');
    expect(await outboxEmails(app, 'Reset your password', 3)).toHaveLength(3);
    expect((await reset(third)).status).toBe(204);
  });

  test('once, however many use it at the same time', async () => {
    await begin();
    await request(ANA);
    const token = await mailedToken();
    const answers = await Promise.all([reset(token), reset(token, 'rim-shots-at-dawn'), reset(token, 'tape-hiss-and-rain')]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['204', '410', '410']);
  });

  test('when the account is erased, with its e-mails in the outbox', async () => {
    const ana = await begin();
    await request(ANA);
    const token = await mailedToken();
    await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: ana.uid });
    expect(statusAndCode(await reset(token))).toBe('410 reset.spent');
    expect(await outboxOf(app)).toEqual([]);
    expect(statusAndCode(await request(ANA))).toBe('404 reset.no-user');
  });
});

describe('an address without an account', () => {
  test.each(['nobody@example.org', 'ana', '', `${ANA}\u0000`, 'x'.repeat(1_000)])('%j is refused', async (email) => {
    await begin();
    expectRefused(await request(email), 'reset.no-user');
  });

  test('counts with unknown tokens: after five in an hour even right ones are 429', async () => {
    await begin();
    await request(ANA);
    const token = await mailedToken();
    for (const miss of [request('a@example.org'), reset('wrong'), app.anonymous.post(USER_PATHS.invite('wrong'), {})]) await miss;
    clock.move(HOUR_MS / 2);
    expect(statusAndCode(await request('b@example.org'))).toBe('404 reset.no-user');
    expect(statusAndCode(await app.anonymous.post(USER_PATHS.invite('wrong'), {}))).toBe('410 invite.spent');
    for (const answer of [
      await request(ANA),
      await reset(token),
      await app.anonymous.post(USER_PATHS.passwordReset),
      await app.anonymous.post(USER_PATHS.invite('wrong')),
    ]) {
      expect([statusAndCode(answer), answer.headers.get('Retry-After')]).toEqual(['429 throttled', '1800']);
    }
    clock.move(HOUR_MS / 2);
    expect((await request(ANA)).status).toBe(200);
  });

  test('with PASSWORD_RESET_DISCREET gets the same answer after the same time, and every request counts', async () => {
    await begin({ PASSWORD_RESET_DISCREET: 'true' });
    const since = performance.now();
    const known = await request(ANA);
    const between = performance.now();
    const unknown = await request('nobody@example.org');
    expect([known.status, known.body]).toEqual([200, unknown.body]);
    // Timers may fire a millisecond early.
    expect([between - since >= 245, performance.now() - between >= 245]).toEqual([true, true]);
    expect(await mailedToken()).not.toBe('');
    for (let request_ = 0; request_ < 3; request_ += 1) expect((await request(ANA)).status).toBe(200);
    expect(statusAndCode(await request(ANA))).toBe('429 throttled');
    expect(statusAndCode(await request('nobody@example.org'))).toBe('429 throttled');
  });
});

test('a session for the guest does not keep anyone from resetting', async () => {
  await begin();
  const guest = await app.guest();
  expect((await guest.post(USER_PATHS.passwordReset, { email: ANA })).status).toBe(200);
  expect((await guest.post(USER_PATHS.passwordResetWith(await mailedToken()), { newPassword: CHOSEN })).status).toBe(204);
});
