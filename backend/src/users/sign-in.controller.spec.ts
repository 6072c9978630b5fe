import { randomBytes } from 'node:crypto';
import type { LoginBody } from '@roughmix/contracts/users/user.api.js';
import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { PasswordCheck } from '../platform/auth/password-check.js';
import { Sessions } from '../platform/auth/sessions.js';
import { Throttle } from '../platform/auth/throttle.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import type { Config } from '../platform/config/config.js';
import type { GuardedRequest } from '../platform/http/caller.js';
import { withOverride } from '../testing/temporary-vault.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { openUsersFixture } from '../testing/users-fixture.js';
import type { Accounts } from './accounts.js';
import { BrowserSessions } from './browser-sessions.js';
import { EmailReceiversQueries } from './email-receivers.queries.js';
import { TimeZones } from './time-zones.js';
import { PasswordThrottles } from './password-throttles.js';
import { SignInController } from './sign-in.controller.js';
import { SecurityNotices } from './security-notices.js';
import { SignIn } from './sign-in.js';

const INQUIRIES = { THROTTLE_INVITE_REQUESTS: 10, THROTTLE_CONTACT: 5 };
const figures = {
  THROTTLE_ADDRESS_PASSWORDS: 15,
  THROTTLE_ACCOUNT_PASSWORDS: 10,
  THROTTLE_ADMIN_KEYS: 5,
  THROTTLE_GUESTS: 100,
  THROTTLE_RESET_MISSES: 5,
  ...INQUIRIES,
};
const changePassword = async (accounts: Accounts, uid: string): Promise<void> => {
  const found = await accounts.get(uid);
  if (found !== null) await accounts.change(found, { passwordHash: 'another' });
};
const ana = { email: 'ana@example.org', password: 'tape-hiss-and-rain' };

test.each<[what: string, change: (accounts: Accounts, uid: string) => Promise<unknown>]>([
  ['its account is being locked', (accounts, uid) => accounts.lock(uid)],
  ['its password is being changed', (accounts, uid) => changePassword(accounts, uid)],
])('a session that starts while %s is ended', async (_what, change) => {
  const world = await openUsersFixture();
  const { vault, clock } = world;
  const people = world.process();
  const { uid } = await people.registrations.register(ana);
  const elsewhere = new Sessions(vault, clock.now);
  await elsewhere.declare();
  const late = withOverride(vault, 'insert', async (collection, id, body) => {
    if (collection === 'sessions') {
      await change(people.accounts, uid);
      await elsewhere.endAllOf(uid);
    }
    return vault.insert(collection, id, body);
  });
  const keys = await VaultKeys.open(vault, randomBytes(32));
  const throttle = new Throttle(vault, clock.now, figures, keys);
  await throttle.declare();
  const devices = new DeviceCookies(keys, clock.now, { PUBLIC_URL: null });
  const sessions = new BrowserSessions(new Sessions(late, clock.now), devices, people.accounts, { PUBLIC_URL: null } as Config);
  const signIn = new SignIn(people.accounts, new PasswordCheck(people.passwords, throttle), new PasswordThrottles(throttle, devices), devices);
  const emailQueue = await EmailQueue.open({ vault, clock: clock.now, addressKey: Buffer.from('key'), files: null });
  const notices = new SecurityNotices(people.accounts, emailQueue, clock.now, { PUBLIC_URL: null, PORT: 1 });
  const timeZones = new TimeZones(people.accounts, new EmailReceiversQueries(people.accounts));
  const controller = new SignInController(signIn, sessions, people.selves, throttle, people.staff, notices, timeZones);
  const server = fastify();
  server.post('/login', (request, reply) => controller.login(request as GuardedRequest, reply, request.body as LoginBody));
  server.setErrorHandler((error, _request, reply) => reply.status(401).send(error instanceof Refused ? error.code : String(error)));

  const answer = await server.inject({ method: 'POST', url: '/login', body: ana });

  expect([answer.statusCode, answer.body]).toEqual([401, 'auth.failed']);
  expect(answer.cookies).toMatchObject([{ value: '' }]);
  expect(await vault.find('sessions', {})).toEqual([]);
  await server.close();
  await world.remove();
});
