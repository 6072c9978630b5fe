import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { DeviceCookies } from './device-cookie.js';
import { VaultKeys } from './vault-keys.js';

const DAY_MS = 24 * 60 * 60_000;
const uids = Array.from({ length: 7 }, (_, index) => `person_${index}_of_the_band_x`);
const [ana = '', bob = ''] = uids;
let stored: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let keys: VaultKeys;
let devices: DeviceCookies;

beforeEach(async () => {
  stored = await temporaryVault();
  clock = manualClock();
  keys = await VaultKeys.open(stored.vault, randomBytes(32));
  devices = new DeviceCookies(keys, clock.now, { PUBLIC_URL: null });
});
afterEach(() => stored.remove());

const knows = (headers: { cookie?: string }, uid: string, resets = 0): boolean => devices.entryOf(headers, { uid, resets }) !== null;
const requestWith = (setCookie: string): { cookie: string } => ({ cookie: setCookie.split(';')[0] ?? '' });

test('a browser remembers an account for a year after it signed in there', () => {
  const setCookie = devices.remember({}, { uid: ana });
  expect(setCookie).toMatch(/^roughmix_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(knows(requestWith(setCookie), ana)).toBe(true);
  expect(knows(requestWith(setCookie), bob)).toBe(false);
  expect(knows({}, ana)).toBe(false);
  clock.move(365 * DAY_MS);
  expect(knows(requestWith(setCookie), ana)).toBe(false);
});

test('over TLS the cookie is bound to this host by its prefix', () => {
  const secure = new DeviceCookies(keys, clock.now, { PUBLIC_URL: 'https://mix.example' });
  const setCookie = secure.remember({}, { uid: ana });
  expect(setCookie).toMatch(/^__Host-roughmix_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(secure.entryOf(requestWith(setCookie), { uid: ana })).not.toBeNull();
  expect(secure.entryOf(requestWith(setCookie.replace('__Host-', '')), { uid: ana })).toBeNull();
});

test('the cookie holds the last five accounts', () => {
  let headers: { cookie?: string } = {};
  for (const uid of uids) headers = requestWith(devices.remember(headers, { uid }));
  expect(uids.map((uid) => knows(headers, uid))).toEqual([false, false, true, true, true, true, true]);
});

test('a reset password invalidates the entries from before', () => {
  const before = requestWith(devices.remember({}, { uid: ana }));
  expect(knows(before, ana, 1)).toBe(false);
  const after = requestWith(devices.remember(before, { uid: ana, resets: 1 }));
  expect([knows(after, ana, 1), knows(after, ana), knows(after, ana, 2)]).toEqual([true, false, false]);
});

test('an entry without a valid signature is ignored', () => {
  const { cookie } = requestWith(devices.remember({}, { uid: ana }));
  expect(knows({ cookie: cookie.replace(ana, bob) }, bob)).toBe(false);
  expect(knows({ cookie: `roughmix_device=${ana}.x.y~..~` }, ana)).toBe(false);
});
