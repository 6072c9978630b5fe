import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { networkOf, siteOf } from './client-network.js';
import { type FailureCounter, Throttle } from './throttle.js';
import { VaultKeys } from './vault-keys.js';

const MINUTE_MS = 60_000;
const INQUIRIES = { THROTTLE_INVITE_REQUESTS: 10, THROTTLE_CONTACT: 5 };
const limits = {
  THROTTLE_ADDRESS_PASSWORDS: 50,
  THROTTLE_ACCOUNT_PASSWORDS: 10,
  THROTTLE_ADMIN_KEYS: 5,
  THROTTLE_GUESTS: 100,
  THROTTLE_RESET_MISSES: 5,
  ...INQUIRIES,
};
let stored: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let here: Throttle;
let elsewhere: Throttle;

beforeEach(async () => {
  stored = await temporaryVault();
  clock = manualClock();
  const keys = await VaultKeys.open(stored.vault, randomBytes(32));
  here = new Throttle(stored.vault, clock.now, limits, keys);
  elsewhere = new Throttle(stored.vault, clock.now, limits, keys);
  await here.declare();
});
afterEach(() => stored.remove());

const ana = { email: 'ana@example.org' };
/** The counters of an account: from one network, and from all of them. */
const countersOf = (throttle: Throttle, address: string, resets = 0): readonly [FailureCounter, FailureCounter] => {
  const [ofNetwork, ofAll] = throttle.passwordsOfAccount({ ...ana, resets }, address);
  if (ofNetwork === undefined || ofAll === undefined) throw new Error('an account has two counters');
  return [ofNetwork, ofAll];
};
const ofNetwork = (throttle: Throttle, address: string): FailureCounter => countersOf(throttle, address)[0];
const ofAllNetworks = (throttle: Throttle): FailureCounter => countersOf(throttle, '192.0.2.1')[1];

/** An IPv4 address has one counter. */
const only = (counters: readonly FailureCounter[]): FailureCounter => {
  const [counter, ...others] = counters;
  if (counter === undefined || others.length > 0) throw new Error('there is not one counter');
  return counter;
};
const fail = async (counter: FailureCounter, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await here.attempt([counter]);
};

describe('failures', () => {
  test.each<[what: string, counterOf: (throttle: Throttle) => FailureCounter, limit: number]>([
    ['wrong passwords from an address', (throttle) => only(throttle.passwordsOfAddress('192.0.2.1')), 50],
    ['wrong passwords for an account from a network', (throttle) => ofNetwork(throttle, '192.0.2.1'), 10],
    ['wrong passwords for an account from all networks', (throttle) => ofAllNetworks(throttle), 100],
    ['wrong passwords in a browser where the account signed in', (throttle) => throttle.passwordsOfDevice('entry'), 10],
    ['wrong current passwords', (throttle) => throttle.passwordChangesOf(ana), 10],
    ['wrong admin keys from an address', (throttle) => only(throttle.adminKeysOfAddress('192.0.2.1')), 5],
    ['guest sessions started from an address', (throttle) => only(throttle.guestsOfAddress('192.0.2.1')), 100],
  ])('%s: refused in every process once the limit is reached, until 15 minutes after the first', async (_what, counterOf, limit) => {
    await fail(counterOf(here), limit - 1);
    clock.move(5 * MINUTE_MS);
    await fail(counterOf(here), 1);
    for (const throttle of [here, elsewhere]) {
      await expect(throttle.check([counterOf(throttle)])).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 600 });
      await expect(throttle.attempt([counterOf(throttle)])).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 600 });
    }
    clock.move(10 * MINUTE_MS - 1);
    await expect(here.check([counterOf(here)])).rejects.toMatchObject({ retryAfterSeconds: 1 });
    clock.move(1);
    await here.check([counterOf(here)]);
    await fail(counterOf(here), limit);
  });

  test('of one address, account or kind do not count for another', async () => {
    await fail(only(here.adminKeysOfAddress('192.0.2.1')), 5);
    const others = [
      ...here.adminKeysOfAddress('192.0.2.2'),
      ...here.passwordsOfAddress('192.0.2.1'),
      ...here.passwordsOfAccount({ email: '192.0.2.1' }, '192.0.2.1'),
    ];
    await expect(here.check(others)).resolves.toBeUndefined();
  });

  test('of concurrent attempts in two processes are all counted', async () => {
    const tries = Array.from({ length: 30 }, (_, index) => {
      const throttle = index % 2 === 0 ? here : elsewhere;
      return throttle.attempt(throttle.passwordsOfAccount(ana, '192.0.2.1'));
    });
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test('are refunded when the attempt succeeds, or when the second counter refuses', async () => {
    const [address, account] = [only(here.passwordsOfAddress('192.0.2.1')), ofNetwork(here, '192.0.2.1')];
    for (let time = 0; time < 60; time += 1) await (await here.attempt([address, account])).refund();
    await fail(account, 10);
    await expect(here.attempt([address, account])).rejects.toMatchObject({ code: 'throttled' });
    await fail(address, 50);
  });

  test('are stored without addresses and emails', async () => {
    await here.attempt([...here.passwordsOfAccount(ana, '192.0.2.1'), ...here.passwordsOfAddress('192.0.2.1')]);
    const records = JSON.stringify(await stored.vault.find('throttle', {}));
    expect(records).not.toMatch(/ana|example|192/);
  });

  test('are swept after their window', async () => {
    await here.attempt(here.passwordsOfAddress('192.0.2.1'));
    clock.move(10 * MINUTE_MS);
    await here.attempt(here.passwordsOfAddress('192.0.2.2'));
    clock.move(5 * MINUTE_MS);
    await here.sweep();
    expect(await stored.vault.find('throttle', {})).toHaveLength(1);
  });
});

test('misses of resets count for an hour', async () => {
  await fail(only(here.resetMissesOfAddress('192.0.2.1')), 5);
  clock.move(15 * MINUTE_MS);
  await expect(elsewhere.attempt(elsewhere.resetMissesOfAddress('192.0.2.1'))).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 45 * 60 });
  clock.move(44 * MINUTE_MS);
  await here.sweep();
  await expect(here.check(here.resetMissesOfAddress('192.0.2.1'))).rejects.toMatchObject({ retryAfterSeconds: 60 });
  clock.move(MINUTE_MS);
  await fail(only(here.resetMissesOfAddress('192.0.2.1')), 5);
});

test('an account is throttled by network: the /24 of an IPv4 address, the /64 of an IPv6 address', async () => {
  await fail(ofNetwork(here, '192.0.2.1'), 10);
  await expect(here.check([ofNetwork(here, '192.0.2.254')])).rejects.toMatchObject({ code: 'throttled' });
  await here.check([ofNetwork(here, '192.0.3.1')]);
  await fail(ofNetwork(here, '2001:db8:1:2::1'), 10);
  await expect(here.check([ofNetwork(here, '2001:db8:1:2:ffff::1')])).rejects.toMatchObject({ code: 'throttled' });
  await here.check([ofNetwork(here, '2001:db8:1:3::1')]);
});

test('a reset password starts new counters for its account', async () => {
  await fail(ofNetwork(here, '192.0.2.1'), 10);
  await fail(ofAllNetworks(here), 100);
  await expect(here.check(countersOf(here, '192.0.2.1'))).rejects.toMatchObject({ code: 'throttled' });
  await expect(here.check(countersOf(here, '192.0.2.1', 1))).resolves.toBeUndefined();
});

describe('all networks of an IPv6 /48', () => {
  const address = (network: number): string => `2001:db8:1:${network.toString(16)}::1`;
  const failFrom = async (networks: number, times: number): Promise<void> => {
    for (let network = 0; network < networks; network += 1)
      for (let time = 0; time < times; time += 1) await here.attempt(here.adminKeysOfAddress(address(network)));
  };

  test('have ten times the limit of one, and others are not affected', async () => {
    await failFrom(10, 5);
    await expect(elsewhere.attempt(elsewhere.adminKeysOfAddress(address(10)))).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 900 });
    await expect(elsewhere.check(elsewhere.adminKeysOfAddress(address(10)))).rejects.toMatchObject({ code: 'throttled' });
    await here.attempt(here.adminKeysOfAddress('2001:db8:2::1'));
    await here.attempt(here.guestsOfAddress(address(10)));
  });

  test('do not count a refused attempt for the network or for the /48', async () => {
    await failFrom(1, 5);
    for (let time = 0; time < 50; time += 1) await expect(here.attempt(here.adminKeysOfAddress(address(0)))).rejects.toMatchObject({ code: 'throttled' });
    await here.attempt(here.adminKeysOfAddress(address(1)));
  });

  test.each<[address: string | undefined, site: string | null]>([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8::ffff', '2001:db8:0::/48'],
    ['192.0.2.1', null],
    ['::ffff:192.0.2.1', null],
    [undefined, null],
  ])('%s is of %s', (each, site) => {
    expect(siteOf(each)).toBe(site);
  });
});

describe('an address is throttled', () => {
  test.each<[address: string | undefined, network: string]>([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, ''],
  ])('%s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
