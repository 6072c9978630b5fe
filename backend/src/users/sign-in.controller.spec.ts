import { randomBytes } from 'node:crypto';
import type { LoginBody } from '@roughmix/contracts/users/user.api.js';
import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { Sessions } from '../platform/auth/sessions.js';
import { Throttle } from '../platform/auth/throttle.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import type { Config } from '../platform/config/config.js';
import type { GuardedRequest } from '../platform/http/caller.js';
import { withOverride } from '../testing/temporary-vault.js';
import { openUsersFixture } from '../testing/users-fixture.js';
import { BrowserSessions } from './browser-sessions.js';
import { SignInController } from './sign-in.controller.js';
import { SignIn } from './sign-in.js';

const figures = { THROTTLE_ADDRESS_PASSWORDS: 15, THROTTLE_ACCOUNT_PASSWORDS: 10, THROTTLE_ADMIN_KEYS: 5, THROTTLE_GUESTS: 100 };
const ana = { email: 'ana@example.org', password: 'tape-hiss-and-rain' };

test('a session that starts while its account is being locked is ended', async () => {
  const world = await openUsersFixture();
  const { vault, clock } = world;
  const people = world.process();
  const { uid } = await people.registrations.register(ana);
  const elsewhere = new Sessions(vault, clock.now);
  await elsewhere.declare();
  const late = withOverride(vault, 'insert', async (collection, id, body) => {
    if (collection === 'sessions') {
      await people.accounts.lock(uid);
      await elsewhere.endAllOf(uid);
    }
    return vault.insert(collection, id, body);
  });
  const keys = await VaultKeys.open(vault, randomBytes(32));
  const throttle = new Throttle(vault, clock.now, figures, keys);
  await throttle.declare();
  const devices = new DeviceCookies(keys, clock.now, { PUBLIC_URL: null });
  const sessions = new BrowserSessions(new Sessions(late, clock.now), devices, { PUBLIC_URL: null } as Config);
  const controller = new SignInController(new SignIn(people.accounts, people.passwords, throttle, devices), sessions, people.selves, throttle);
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
