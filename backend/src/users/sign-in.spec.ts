import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { PasswordCheck } from '../platform/auth/password-check.js';
import type { Passwords } from '../platform/auth/passwords.js';
import { Throttle } from '../platform/auth/throttle.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import type { Refused } from '../kernel/refusal.js';
import { type UsersProcess, type UsersFixture, openUsersFixture } from '../testing/users-fixture.js';
import { type PasswordSource, PasswordThrottles } from './password-throttles.js';
import { SignIn, type SignInAttempt } from './sign-in.js';

const MINUTE_MS = 60_000;
const ana = { email: 'ana@example.org', password: 'tape-hiss-and-rain' };
const INQUIRIES = { THROTTLE_INVITE_REQUESTS: 10, THROTTLE_CONTACT: 5 };
const figures = {
  THROTTLE_ADDRESS_PASSWORDS: 15,
  THROTTLE_ACCOUNT_PASSWORDS: 10,
  THROTTLE_ADMIN_KEYS: 5,
  THROTTLE_GUESTS: 100,
  THROTTLE_RESET_MISSES: 5,
  ...INQUIRIES,
};
const home: PasswordSource = { address: '192.0.2.1', headers: {} };
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
  signIn = signInWith(people.passwords);
  uid = (await people.registrations.register(ana)).uid;
});
afterEach(() => world.remove());

const signInWith = (passwords: Passwords): SignIn =>
  new SignIn(people.accounts, new PasswordCheck(passwords, throttle), new PasswordThrottles(throttle, devices), devices);

/** The cookie of a browser in which Ana signed in. */
const known = (): { cookie?: string } => ({ cookie: devices.remember({}, { uid }).split(';')[0] ?? '' });

/** The result of a wrong password. */
const wrong = (from: typeof home, email = ana.email): Promise<unknown> => outcome({ email, password: 'tape-hiss-and-snow', ...from });

/** The uid that signed in, or the refusal's code. */
const outcome = (tried: SignInAttempt): Promise<unknown> =>
  signIn.check(tried).then(
    (account) => account.uid,
    (error: Refused) => error.code,
  );

test('the right password signs in, regardless of case', async () => {
  expect(await outcome({ ...ana, ...home, email: ' Ana@Example.ORG' })).toBe(uid);
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
  const counted = signInWith(counting);
  for (const email of [ana.email, 'nobody@example.org'])
    await expect(counted.check({ email, password: 'x', ...home })).rejects.toMatchObject({ code: 'auth.failed' });
  expect(compared.map((hash) => hash === null)).toEqual([false, true]);
});

describe('after ten wrong passwords of an account from one network', () => {
  beforeEach(async () => {
    for (let time = 0; time < 10; time += 1) expect(await wrong({ ...home, address: `192.0.2.${time}` })).toBe('auth.failed');
  });

  test('the right password is refused too, from that network, for the rest of 15 minutes', async () => {
    const neighbour = { ...home, address: '192.0.2.200' };
    await expect(signIn.check({ ...ana, ...neighbour })).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 900 });
    expect(await outcome({ ...ana, ...elsewhere })).toBe(uid);
    world.clock.move(15 * MINUTE_MS);
    expect(await outcome({ ...ana, ...neighbour })).toBe(uid);
  });

  test('a browser that signed in before can still sign in', async () => {
    expect(await outcome({ ...ana, ...home, headers: known() })).toBe(uid);
  });

  test('a browser that signed in before has ten attempts of its own', async () => {
    const here = { ...home, headers: known() };
    for (let time = 0; time < 10; time += 1) expect(await wrong({ ...here, address: `198.51.${time}.7` })).toBe('auth.failed');
    expect(await outcome({ ...ana, ...here })).toBe('throttled');
    world.clock.move(1);
    expect(await outcome({ ...ana, ...home, headers: known() })).toBe(uid);
  });

  test('other accounts can sign in', async () => {
    expect(await wrong(elsewhere, 'bo@example.org')).toBe('auth.failed');
  });
});

test('an unknown e-mail address is throttled like a known one', async () => {
  for (let time = 0; time < 10; time += 1) expect(await wrong(home, 'nobody@example.org')).toBe('auth.failed');
  expect(await wrong(home, 'nobody@example.org')).toBe('throttled');
});

test('an IP address with too many wrong passwords is blocked for every account, even from a known browser', async () => {
  for (let time = 0; time < 15; time += 1) expect(await wrong(home, `person${time}@example.org`)).toBe('auth.failed');
  await expect(signIn.check({ ...ana, ...home, headers: known() })).rejects.toMatchObject({ code: 'throttled' });
  expect(await outcome({ ...ana, ...elsewhere })).toBe(uid);
});

test('concurrent attempts are counted one by one', async () => {
  const codes = await Promise.all(Array.from({ length: 14 }, () => wrong(home)));
  expect(codes.filter((code) => code === 'auth.failed')).toHaveLength(10);
  expect(codes.filter((code) => code === 'throttled')).toHaveLength(4);
});

test('after a hundred wrong passwords of an account from ten networks nobody else can sign in to it, but known browsers can', async () => {
  for (let time = 0; time < 100; time += 1) expect(await wrong({ ...home, address: `198.51.${time % 10}.${time}` })).toBe('auth.failed');
  expect(await outcome({ ...ana, ...home })).toBe('throttled');
  expect(await outcome({ ...ana, ...home, headers: known() })).toBe(uid);
});

test('an account without a password cannot be signed in to', async () => {
  const account = await people.accounts.get(uid);
  if (account !== null) await people.accounts.change(account, { passwordHash: '' });
  for (const password of ['', ana.password]) expect(await outcome({ ...ana, ...home, password })).toBe('auth.failed');
});

test('successful sign-ins do not count', async () => {
  for (let time = 0; time < 20; time += 1) expect(await outcome({ ...ana, ...home })).toBe(uid);
});
