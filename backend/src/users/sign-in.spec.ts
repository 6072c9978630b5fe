import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import type { Passwords } from '../platform/auth/passwords.js';
import { Throttle } from '../platform/auth/throttle.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import type { Refused } from '../kernel/refusal.js';
import { type UsersProcess, type UsersFixture, openUsersFixture } from '../testing/users-fixture.js';
import { SignIn, type SignInAttempt } from './sign-in.js';

const MINUTE_MS = 60_000;
const ana = { email: 'ana@example.org', password: 'tape-hiss-and-rain' };
const figures = { THROTTLE_ADDRESS_PASSWORDS: 15, THROTTLE_ACCOUNT_PASSWORDS: 10, THROTTLE_ADMIN_KEYS: 5, THROTTLE_GUESTS: 100 };
const home = { address: '192.0.2.1', headers: {} };
const elsewhere = { address: '198.51.100.7', headers: {} };
let world: UsersFixture;
let people: UsersProcess;
let devices: DeviceCookies;
let throttle: Throttle;
let signIn: SignIn;
let uid: string;

beforeEach(async () => {
  world = await openUsersFixture();
  people = world.process();
  const keys = await VaultKeys.open(world.vault, randomBytes(32));
  throttle = new Throttle(world.vault, world.clock.now, figures, keys);
  await throttle.declare();
  devices = new DeviceCookies(keys, world.clock.now, { PUBLIC_URL: null });
  signIn = new SignIn(people.accounts, people.passwords, throttle, devices);
  uid = (await people.registrations.register(ana)).uid;
});
afterEach(() => world.remove());

/** The result of a wrong password. */
const wrong = (from: typeof home, email = ana.email): Promise<unknown> => outcome({ email, password: 'tape-hiss-and-snow', ...from });

/** The uid that signed in, or the refusal's code. */
const outcome = (tried: SignInAttempt): Promise<unknown> => signIn.check(tried).catch((error: Refused) => error.code);

test('the right password signs in, regardless of case', async () => {
  expect(await signIn.check({ ...ana, ...home, email: ' Ana@Example.ORG' })).toBe(uid);
});

test.each([[ana.email], ['nobody@example.org'], [''], ['not an address']])('a wrong password gets the same answer for %j', async (email) => {
  expect(await wrong(home, email)).toBe('auth.failed');
});

test('an unknown account costs one password comparison, like a known one', async () => {
  const compared: (string | null)[] = [];
  const counting = Object.assign(Object.create(people.passwords) as Passwords, {
    matches: (...asked: Parameters<Passwords['matches']>) => {
      compared.push(asked[0]);
      return people.passwords.matches(...asked);
    },
  });
  const counted = new SignIn(people.accounts, counting, throttle, devices);
  for (const email of [ana.email, 'nobody@example.org'])
    await expect(counted.check({ email, password: 'x', ...home })).rejects.toMatchObject({ code: 'auth.failed' });
  expect(compared.map((hash) => hash === null)).toEqual([false, true]);
});

describe('after ten wrong passwords of an account', () => {
  beforeEach(async () => {
    for (let time = 0; time < 10; time += 1) expect(await wrong({ ...home, address: `192.0.2.${time}` })).toBe('auth.failed');
  });

  test('the right password is refused too, from everywhere, for the rest of 15 minutes', async () => {
    await expect(signIn.check({ ...ana, ...elsewhere })).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 900 });
    world.clock.move(15 * MINUTE_MS);
    expect(await signIn.check({ ...ana, ...elsewhere })).toBe(uid);
  });

  test('a browser that signed in before can still sign in', async () => {
    const headers = { cookie: devices.remember({}, uid).split(';')[0] };
    expect(await signIn.check({ ...ana, ...elsewhere, headers })).toBe(uid);
  });

  test('other accounts can sign in', async () => {
    expect(await wrong(elsewhere, 'bo@example.org')).toBe('auth.failed');
  });
});

test('an unknown e-mail address is throttled like a known one', async () => {
  for (let time = 0; time < 10; time += 1) expect(await wrong(home, 'nobody@example.org')).toBe('auth.failed');
  expect(await wrong(elsewhere, 'nobody@example.org')).toBe('throttled');
});

test('an IP address with too many wrong passwords is blocked for every account, even from a known browser', async () => {
  for (let time = 0; time < 15; time += 1) expect(await wrong(home, `person${time}@example.org`)).toBe('auth.failed');
  const headers = { cookie: devices.remember({}, uid).split(';')[0] };
  await expect(signIn.check({ ...ana, ...home, headers })).rejects.toMatchObject({ code: 'throttled' });
  expect(await signIn.check({ ...ana, ...elsewhere })).toBe(uid);
});

test('concurrent attempts are counted one by one', async () => {
  const codes = await Promise.all(Array.from({ length: 14 }, () => wrong(home)));
  expect(codes.filter((code) => code === 'auth.failed')).toHaveLength(10);
  expect(codes.filter((code) => code === 'throttled')).toHaveLength(4);
});

test('successful sign-ins do not count', async () => {
  for (let time = 0; time < 20; time += 1) expect(await signIn.check({ ...ana, ...home })).toBe(uid);
});

test('the time zone of the browser is stored if it exists', async () => {
  const zone = async (): Promise<string | null | undefined> => (await people.accounts.get(uid))?.body.zone;
  expect(await zone()).toBeNull();
  await signIn.storeZone(uid, 'Europe/Lisbon');
  await signIn.storeZone(uid, 'Mars/Base');
  await signIn.storeZone(uid, undefined);
  expect(await zone()).toBe('Europe/Lisbon');
});
