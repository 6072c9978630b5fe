import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { idFrom } from '../platform/ids.js';
import type { Vault } from '../platform/vault/vault.js';
import { openUsersFixture, type UsersFixture, type UsersProcess } from '../testing/users-fixture.js';
import { VAULT_WRITES, WriteFailure } from '../testing/write-failure.js';
import { EarlierAccounts } from './earlier-accounts.js';

const ANA = {
  uid: 'uid-1',
  email: 'zqanamail@example.org',
  passwordHash: 'hash',
  usernameSlug: 'zqanouk',
  formerSlugs: ['zqowl'],
  claims: [{ slug: 'zqtide', at: 0 }],
  state: 'confirmed',
  reservedAt: 0,
  zone: 'Asia/Tokyo',
} as const;
const GUEST = { uid: 'guest', email: '', passwordHash: '', usernameSlug: 'guest', state: 'confirmed', reservedAt: 0, zone: null } as const;
const EARLIER = ['emails', 'usernames', 'retired-usernames'];
const SLUGS = ['zqanouk', 'zqowl', 'zqtide'];

let world: UsersFixture;
let sound: UsersProcess;
let lines: string[];

beforeEach(async () => {
  world = await openUsersFixture();
  sound = world.process();
  world.clock.move(60 * 60_000);
  lines = [];
});
afterEach(() => world.remove());

/** What a start does before it reads any account. */
const start = (vault: Vault = world.vault): Promise<void> => {
  const { records, reservations } = world.process(vault);
  return new EarlierAccounts(vault, { info: (_facts, line) => lines.push(line) }, records, reservations).seal();
};

/** Writes an account of each kind, a reservation that a crash left, and the slug of an erased user, as earlier versions stored them. */
async function storeAsEarlier(): Promise<void> {
  for (const name of EARLIER) await world.vault.declare({ name });
  for (const account of [ANA, GUEST]) await world.vault.put('accounts', account.uid, account);
  await world.vault.put('emails', ANA.email, { uid: ANA.uid });
  await world.vault.put('emails', 'zqlost@example.org', { uid: 'nobody' });
  for (const slug of SLUGS) await world.vault.put('usernames', slug, { uid: ANA.uid });
  await world.vault.put('usernames', 'guest', { uid: 'guest' });
  await world.vault.put('retired-usernames', idFrom('retired-username', 'zqgone'), {});
}

async function bytesOfVault(): Promise<string> {
  const files = await Promise.all(['', '-wal'].map((ending) => readFile(join(world.folder, `vault.db${ending}`), 'latin1')));
  return files.join('');
}

/** Every lookup of an account, with the results from when addresses and names were stored in plain text. */
async function expectFound(): Promise<void> {
  for (const account of [ANA, GUEST]) expect((await sound.accounts.get(account.uid))?.body).toEqual(account);
  expect(await sound.accounts.registered(ANA.email)).toEqual(ANA);
  expect(await sound.accounts.reserveEmail(ANA.email, 'other')).toBe(false);
  expect(await sound.accounts.reserveEmail('zqlost@example.org', 'other')).toBe(true);
  for (const slug of [...SLUGS, 'guest']) expect([slug, await sound.accounts.isSlugFreeFor(slug, 'other')]).toEqual([slug, false]);
  for (const slug of SLUGS) expect([slug, await sound.accounts.isSlugFreeFor(slug, ANA.uid)]).toEqual([slug, true]);
  expect(await sound.accounts.isSlugFreeFor('zqgone', 'other')).toBe(true);
}

/** No record of the earlier shape is left, and no byte of a file. */
async function expectSealed(): Promise<void> {
  for (const name of [...EARLIER, 'account-sealing']) expect([name, await world.vault.find(name, {})]).toEqual([name, []]);
  expect(await sound.records.unsealed()).toEqual([]);
  expect(/zqana|zqlost|zqowl|zqtide|example\.org/.exec(await bytesOfVault())).toBeNull();
}

describe('accounts of an earlier version', () => {
  beforeEach(() => storeAsEarlier());

  test('are sealed at the start: every lookup finds them, and no byte of the vault shows an address or username', async () => {
    expect(await bytesOfVault()).toContain(ANA.email);
    await start();
    await expectSealed();
    await expectFound();
    expect(lines).toEqual(['sealed e-mail addresses and usernames that an earlier version had stored in plain text']);
  });

  test('are erased as others, and their addresses are free again', async () => {
    await start();
    await sound.accounts.remove(ANA.uid);
    expect(await sound.accounts.get(ANA.uid)).toBeNull();
    expect(await sound.accounts.reserveEmail(ANA.email, 'other')).toBe(true);
    for (const slug of SLUGS) expect([slug, await sound.accounts.isSlugFreeFor(slug, 'other')]).toEqual([slug, true]);
  });

  test('are sealed by two processes that start at once', async () => {
    await Promise.all([start(), start()]);
    await expectSealed();
    await expectFound();
  });

  test('are read while they are not sealed yet', async () => {
    expect((await sound.accounts.get(ANA.uid))?.body).toEqual(ANA);
  });

  test('are sealed by the next start after a crash at any write', async () => {
    const counting = new WriteFailure();
    await start(counting.guard(world.vault, VAULT_WRITES));
    for (let step = 0; step < counting.writes; step += 1) {
      await storeAsEarlier();
      const failure = new WriteFailure();
      failure.failAfter(step, false);
      await expect(start(failure.guard(world.vault, VAULT_WRITES))).rejects.toMatchObject({ name: 'ServiceUnavailable' });
      await start();
      await expectSealed();
    }
    await expectFound();
    expect(counting.writes).toBeGreaterThan(15);
  });
});

test('a start writes nothing if everything is sealed', async () => {
  await sound.registrations.register({ email: ANA.email, password: 'tape-hiss-and-rain' });
  const failure = new WriteFailure();
  failure.failAfter(0, false);
  await start(failure.guard(world.vault, VAULT_WRITES));
  expect([failure.writes, lines]).toEqual([0, []]);
});
