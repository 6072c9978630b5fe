import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import { PASSWORD, type Person, startApp, type TestApp } from '../testing/app.js';
import { linkedToken, outboxEmails } from '../testing/outbox.js';
import { bodyOf } from '../testing/test-client.js';
import { socketOf } from '../testing/test-socket.js';

let app: TestApp;
let nth = 0;
let ana: Person;
let other: Person;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  nth += 1;
  ana = await app.person(`Ana${nth}`);
  other = await app.signIn(`ana${nth}.tester@example.org`, ana.username);
});
afterAll(() => app.stop());

test('a changed password closes the sockets of other sessions, and the own ones stay', async () => {
  const [stays, ends] = [await socketOf(ana), await socketOf(other)];
  expect((await ana.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'brushes-on-a-snare' })).status).toBe(204);
  await ends.disconnected();
  expect(await stays.ask('login')).toMatchObject({ ok: true });
});

test('a reset password closes every socket', async () => {
  const sockets = [await socketOf(ana), await socketOf(other)];
  expect((await app.anonymous.post(USER_PATHS.passwordReset, { email: `ana${nth}.tester@example.org` })).status).toBe(200);
  const token = linkedToken((await outboxEmails(app, 'Reset your password')).at(-1), 'passwordReset');
  expect((await app.anonymous.post(USER_PATHS.passwordResetWith(token), { newPassword: 'brushes-on-a-snare' })).status).toBe(204);
  for (const socket of sockets) await socket.disconnected();
});

test('ending a device closes its sockets only', async () => {
  const [stays, ends] = [await socketOf(ana), await socketOf(other)];
  const { sessions } = bodyOf(await ana.get<SessionsAnswer>('/api/auth/sessions'));
  const id = sessions.find(({ current }) => !current)?._id ?? '';
  expect((await ana.call('DELETE', `/api/auth/sessions/${id}`)).status).toBe(204);
  await ends.disconnected();
  expect(await stays.ask('login')).toMatchObject({ ok: true });
});

test('ending all other devices closes their sockets', async () => {
  const [stays, ends] = [await socketOf(ana), await socketOf(other)];
  expect((await ana.call('DELETE', '/api/auth/sessions')).status).toBe(204);
  await ends.disconnected();
  expect(await stays.ask('login')).toMatchObject({ ok: true });
});
