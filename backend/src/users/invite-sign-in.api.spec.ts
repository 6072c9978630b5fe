import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { SessionAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { sessionIn, startApp, type TestApp } from '../testing/app.js';
import { linkedToken, outboxEmails } from '../testing/outbox.js';
import { manualClock } from '../testing/manual-clock.js';
import { type Answer, bodyOf, statusAndCode, TestClient } from '../testing/test-client.js';

const SEVEN_DAYS_MS = 7 * 24 * 60 * 60_000;
const BEA = 'bea@example.org';
const CHOSEN = 'brushes-on-a-snare';

let app: TestApp;
let clock: ReturnType<typeof manualClock>;
let requestId: string;
let uid: string;

beforeEach(async () => {
  clock = manualClock();
  app = await startApp({ PUBLIC_URL: 'http://mix.example' }, { clock: clock.now });
  await app.anonymous.post(INQUIRY_PATHS.inviteRequests, { email: BEA });
  requestId = bodyOf(await app.anonymous.get<InviteRequestsAnswer>(INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey))).inviteRequests[0]?._id ?? '';
});
afterEach(() => app.stop());

/** Accepts the request, for the nth time. @returns the token of the invite e-mail */
async function invited(nth = 1): Promise<string> {
  ({ uid } = bodyOf(await app.anonymous.post<UserAddedAnswer>(INQUIRY_PATHS.acceptWithKey(app.adminKey, requestId), {})).user);
  return linkedToken((await outboxEmails(app, 'Your invite to Roughmix', nth)).at(-1), 'invite');
}
const open = (token: string, body: object = {}): Promise<Answer<SessionAnswer>> => app.anonymous.post(USER_PATHS.invite(token), body);
const session = async ({ headers }: Answer): Promise<string> => statusAndCode(await new TestClient(app.url, sessionIn(headers)).get(USER_PATHS.session));

test('an invite link signs in while it is valid; each use ends the session of the previous one', async () => {
  const token = await invited();
  const first = await open(token, { timeZone: 'Europe/Berlin' });
  expect([first.status, first.body.user.uid, first.body.user.profileCompletion, first.body.staffRole]).toEqual([200, uid, 0, null]);
  const second = await open(token);
  expect([await session(first), await session(second)]).toEqual(['401 auth.required', '200']);
  clock.move(SEVEN_DAYS_MS);
  expect(statusAndCode(await open(token))).toBe('410 invite.spent');
  expect(await session(second)).toBe('200');
});

test('of concurrent uses one session is left', async () => {
  const token = await invited();
  const uses = await Promise.all([open(token), open(token), open(token)]);
  const sessions = await Promise.all(uses.map(session));
  expect([uses.map(({ status }) => status), sessions.toSorted()]).toEqual([
    [200, 200, 200],
    ['200', '401 auth.required', '401 auth.required'],
  ]);
});

test('a newer invite e-mail replaces the link, whose session the next use still ends', async () => {
  const earlier = await invited();
  const before = await open(earlier);
  clock.move(1_000);
  const newer = await invited(2);
  expect(statusAndCode(await open(earlier))).toBe('410 invite.spent');
  expect((await open(newer)).status).toBe(200);
  expect(await session(before)).toBe('401 auth.required');
});

test('a reset password ends the invite link, and so does a changed one after the operator sent another', async () => {
  const invite = await invited();
  await app.anonymous.post(USER_PATHS.passwordReset, { email: BEA });
  const token = linkedToken((await outboxEmails(app, 'Reset your password'))[0], 'passwordReset');
  expect((await app.anonymous.post(USER_PATHS.passwordResetWith(token), { newPassword: CHOSEN })).status).toBe(204);
  expect(statusAndCode(await open(invite))).toBe('410 invite.spent');
  clock.move(1_000);
  const another = await invited(2);
  const intruder = await open(another);
  const bea = new TestClient(app.url, sessionIn((await app.anonymous.post(USER_PATHS.login, { email: BEA, password: CHOSEN })).headers));
  expect((await bea.post(USER_PATHS.password, { currentPassword: CHOSEN, newPassword: 'rim-shots-at-dawn' })).status).toBe(204);
  expect([await session(intruder), statusAndCode(await open(another))]).toEqual(['401 auth.required', '410 invite.spent']);
});

test('signing out everywhere else ends the invite link and the reset link', async () => {
  const invite = await invited();
  const bea = new TestClient(app.url, sessionIn((await open(invite)).headers));
  await app.anonymous.post(USER_PATHS.passwordReset, { email: BEA });
  const reset = linkedToken((await outboxEmails(app, 'Reset your password'))[0], 'passwordReset');
  expect((await bea.call('DELETE', USER_PATHS.sessions)).status).toBe(204);
  expect(statusAndCode(await open(invite))).toBe('410 invite.spent');
  expect(statusAndCode(await app.anonymous.post(USER_PATHS.passwordResetWith(reset), { newPassword: CHOSEN }))).toBe('410 reset.spent');
  expect((await bea.get(USER_PATHS.session)).status).toBe(200);
});

test('the first sign-in by an invite link sends a notice, and so do later ones in other browsers', async () => {
  const token = await invited();
  const first = await open(token, { timeZone: 'Europe/Berlin' });
  const [notice] = await outboxEmails(app, 'New sign-in to Roughmix');
  expect(notice?.headers).toMatchObject({ to: BEA });
  expect(notice?.text.replaceAll(/\s+/g, ' ')).toContain(
    'signed in to your Roughmix account with the link of your invite, from a browser that we do not know.',
  );
  expect(notice?.text).toContain('(Europe/Berlin)');
  const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('roughmix_device='));
  clock.move(1_000);
  expect((await app.anonymous.post(USER_PATHS.invite(token), {}, { cookie: device?.split(';')[0] ?? '' })).status).toBe(200);
  clock.move(1_000);
  await app.anonymous.post(USER_PATHS.invite(token), {}, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' });
  const notices = await outboxEmails(app, 'New sign-in to Roughmix', 2);
  expect(notices.map(({ text }) => /^Device: (.*?)\r?$/m.exec(text)?.[1])).toEqual(['Unknown device', 'Firefox on Linux']);
});

test('a reset token is no invite token, and an erased account has neither', async () => {
  const invite = await invited();
  await app.anonymous.post(USER_PATHS.passwordReset, { email: BEA });
  const reset = linkedToken((await outboxEmails(app, 'Reset your password'))[0], 'passwordReset');
  expect(statusAndCode(await open(reset))).toBe('410 invite.spent');
  expect(statusAndCode(await app.anonymous.post(USER_PATHS.passwordResetWith(invite), { newPassword: CHOSEN }))).toBe('410 reset.spent');
  await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: uid });
  expect(statusAndCode(await open(invite))).toBe('410 invite.spent');
});
