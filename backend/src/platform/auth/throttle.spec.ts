import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock, temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { networkOf } from './client-network.js';
import { type FailureCounter, Throttle } from './throttle.js';
import { VaultKeys } from './vault-keys.js';

const MINUTE_MS = 60_000;
const figures = { THROTTLE_ADDRESS_PASSWORDS: 50, THROTTLE_ACCOUNT_PASSWORDS: 10, THROTTLE_ADMIN_KEYS: 5, THROTTLE_GUESTS: 100 };
let stored: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let here: Throttle;
let elsewhere: Throttle;

beforeEach(async () => {
  stored = await temporaryVault();
  clock = manualClock();
  const keys = await VaultKeys.open(stored.vault, randomBytes(32));
  here = new Throttle(stored.vault, clock.now, figures, keys);
  elsewhere = new Throttle(stored.vault, clock.now, figures, keys);
  await here.declare();
});
afterEach(() => stored.remove());

const fail = async (counted: FailureCounter, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await here.attempt([counted]);
};

describe('failures', () => {
  test.each<[what: string, counted: (throttle: Throttle) => FailureCounter, limit: number]>([
    ['wrong passwords of an address', (throttle) => throttle.passwordsOfAddress('192.0.2.1'), 50],
    ['wrong passwords of an account', (throttle) => throttle.passwordsOfAccount('ana@example.org'), 10],
    ['wrong admin keys of an address', (throttle) => throttle.adminKeysOfAddress('192.0.2.1'), 5],
    ['guest sessions begun by an address', (throttle) => throttle.guestsOfAddress('192.0.2.1'), 100],
  ])('%s: so many in 15 minutes, then none in any process, then all again', async (_what, counted, limit) => {
    await fail(counted(here), limit - 1);
    clock.move(5 * MINUTE_MS);
    await fail(counted(here), 1);
    for (const throttle of [here, elsewhere]) {
      await expect(throttle.check([counted(throttle)])).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 600 });
      await expect(throttle.attempt([counted(throttle)])).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 600 });
    }
    clock.move(10 * MINUTE_MS - 1);
    await expect(here.check([counted(here)])).rejects.toMatchObject({ retryAfterSeconds: 1 });
    clock.move(1);
    await here.check([counted(here)]);
    await fail(counted(here), limit);
  });

  test('of one address, account or kind are not those of another', async () => {
    await fail(here.adminKeysOfAddress('192.0.2.1'), 5);
    const others = [here.adminKeysOfAddress('192.0.2.2'), here.passwordsOfAddress('192.0.2.1'), here.passwordsOfAccount('192.0.2.1')];
    await expect(here.check(others)).resolves.toBeUndefined();
  });

  test('of many at once in two processes are counted one by one', async () => {
    const tries = Array.from({ length: 30 }, (_, index) => {
      const throttle = index % 2 === 0 ? here : elsewhere;
      return throttle.attempt([throttle.passwordsOfAccount('ana@example.org')]);
    });
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test('that were none are given back, also when the second count refuses', async () => {
    const [address, account] = [here.passwordsOfAddress('192.0.2.1'), here.passwordsOfAccount('ana@example.org')];
    for (let time = 0; time < 60; time += 1) await (await here.attempt([address, account])).refund();
    await fail(account, 10);
    await expect(here.attempt([address, account])).rejects.toMatchObject({ code: 'throttled' });
    await fail(address, 50);
  });

  test('name nobody in the vault', async () => {
    await here.attempt([here.passwordsOfAccount('ana@example.org'), here.passwordsOfAddress('192.0.2.1')]);
    const records = JSON.stringify(await stored.vault.find('throttle', {}));
    expect(records).not.toMatch(/ana|example|192/);
  });

  test('are swept when their time is over', async () => {
    await here.attempt([here.passwordsOfAddress('192.0.2.1')]);
    clock.move(10 * MINUTE_MS);
    await here.attempt([here.passwordsOfAddress('192.0.2.2')]);
    clock.move(5 * MINUTE_MS);
    await here.sweep();
    expect(await stored.vault.find('throttle', {})).toHaveLength(1);
  });
});

describe('an address counts', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
