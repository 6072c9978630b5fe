import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { PASSWORD, type Person, startApp, type TestApp } from '../testing/app.js';
import { linkedToken, outboxEmails } from '../testing/outbox.js';
import { manualClock } from '../testing/manual-clock.js';
import { type Answer, statusAndCode } from '../testing/test-client.js';

const CHOSEN = 'brushes-on-a-snare';
const FIREFOX = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

let app: TestApp;
let clock: ReturnType<typeof manualClock>;
let ana: Person;

beforeAll(async () => {
  clock = manualClock();
  app = await startApp({ PUBLIC_URL: 'http://mix.example' }, { clock: clock.now });
  ana = await app.person('Ana');
});
afterAll(() => app.stop());

const ANA = 'ana.tester@example.org';
const signIn = (headers: Readonly<Record<string, string>> = {}, body: object = {}): Promise<Answer> =>
  app.anonymous.post(USER_PATHS.login, { email: ANA, password: PASSWORD, ...body }, headers);
const deviceCookie = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('roughmix_device='))
    ?.split(';')[0] ?? '';
const newDevices = (count: number): ReturnType<typeof outboxEmails> => outboxEmails(app, 'New sign-in to Roughmix', count);

test('the first sign-in of an account sends no notice; later ones do, unless the browser is known', async () => {
  const first = await signIn(FIREFOX, { timeZone: 'Europe/Berlin' });
  const [notice] = await newDevices(1);
  expect(notice?.headers).toMatchObject({ to: ANA, 'auto-submitted': 'auto-generated' });
  expect(notice?.text.replaceAll('\r\n', '\n')).toContain('\nDevice: Firefox on Linux\nTime: Tuesday 14 November 2023 at 23:13 (Europe/Berlin)\n');
  expect(notice?.text).toContain('http://mix.example/passwordReset');
  clock.move(60_000);
  await signIn({ ...FIREFOX, cookie: deviceCookie(first) });
  await signIn({ 'User-Agent': '<b>anything</b>' });
  const notices = await newDevices(2);
  expect(notices).toHaveLength(2);
  expect(notices[1]?.text).toContain('Device: Unknown device');
});

test('the guest and refused sign-ins send no notice', async () => {
  const before = await newDevices(0);
  await app.guest();
  expect(statusAndCode(await signIn({}, { password: 'not-the-right-one' }))).toBe('401 auth.failed');
  await signIn();
  expect(await newDevices(before.length + 1)).toHaveLength(before.length + 1);
});

test('a changed password sends a notice and ends the reset links, and a reset makes every browser unknown', async () => {
  const known = deviceCookie(await signIn());
  clock.move(1_000);
  await app.anonymous.post(USER_PATHS.passwordReset, { email: ANA });
  const [spent] = await outboxEmails(app, 'Reset your password');
  expect((await ana.post(USER_PATHS.password, { currentPassword: PASSWORD, newPassword: CHOSEN })).status).toBe(204);
  await outboxEmails(app, 'Your password was changed');
  const late = await app.anonymous.post(USER_PATHS.passwordResetWith(linkedToken(spent, 'passwordReset')), { newPassword: 'rim-shots-at-dawn' });
  expect(statusAndCode(late)).toBe('410 reset.spent');

  const before = (await newDevices(0)).length;
  clock.move(1_000);
  await app.anonymous.post(USER_PATHS.passwordReset, { email: ANA });
  const newest = (await outboxEmails(app, 'Reset your password', 2)).at(-1);
  await app.anonymous.post(USER_PATHS.passwordResetWith(linkedToken(newest, 'passwordReset')), { newPassword: PASSWORD });
  expect(await outboxEmails(app, 'Your password was changed', 2)).toHaveLength(2);
  clock.move(1_000);
  expect((await signIn({ cookie: known })).status).toBe(200);
  expect((await newDevices(before + 1)).length).toBe(before + 1);
});
