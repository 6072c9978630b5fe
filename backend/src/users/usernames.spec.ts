import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openUsersFixture, type UsersFixture, type UsersProcess } from '../testing/users-fixture.js';

const TWENTY_MINUTES = 20 * 60_000;

let world: UsersFixture;
let sound: UsersProcess;
let ana: string;
let bob: string;

beforeEach(async () => {
  world = await openUsersFixture();
  sound = world.process();
  const register = async (firstName: string): Promise<string> =>
    (await sound.registrations.register({ email: `${firstName}@example.org`, password: 'tape-hiss-and-rain', firstName, lastName: 'Lima' })).uid;
  [ana, bob] = [await register('Ana'), await register('Bob')];
});
afterEach(() => world.remove());

let commands = 0;
async function append(uid: string, username: string): Promise<void> {
  commands += 1;
  const context = { actor: { uid }, at: 1, commandId: `rename-${commands}`, correlationId: 'c', causationId: null };
  await sound.streams.run(context, uid, { type: 'EditUser', data: { names: { username }, info: {}, settings: {}, completesProfile: false, at: context.at } });
}

async function rename(uid: string, username: string): Promise<boolean> {
  if (!(await sound.usernames.claim(username, uid))) return false;
  await append(uid, username);
  await sound.usernames.settle(uid);
  return true;
}

/** The reserved slugs; fails if there are others than these specs use. */
async function reservations(): Promise<readonly string[]> {
  const reserved: string[] = [];
  for (const slug of ['ana-lima', 'ana-maria', 'anouk', 'bob-lima', 'owl', 'reef', 'tide']) {
    if ((await sound.reservations.get('slug', slug)) !== null) reserved.push(slug);
  }
  expect(await world.vault.find('reserved-slugs', {})).toHaveLength(reserved.length);
  return reserved;
}

describe('a renamed user', () => {
  test('is found by every name they chose; the earlier ones stay reserved', async () => {
    expect(await rename(ana, 'Ana Maria')).toBe(true);
    expect(await rename(ana, 'Anouk')).toBe(true);
    for (const slug of ['ana-maria', 'Anouk']) expect((await sound.users.bySlug(slug))?.uid).toBe(ana);
    for (const name of ['ana maria', 'ANOUK']) expect(await sound.usernames.claim(name, bob)).toBe(false);
    expect(await reservations()).toEqual(['ana-maria', 'anouk', 'bob-lima']);
  });

  test('drops a name that nobody chose: it leads to nobody, and others may take it', async () => {
    expect(await rename(ana, 'Anouk')).toBe(true);
    expect(await sound.users.bySlug('ana-lima')).toBeNull();
    expect(await rename(bob, 'Ana Lima')).toBe(true);
    expect((await sound.users.bySlug('ana-lima'))?.uid).toBe(bob);
    expect(await rename(ana, 'Ana Lima')).toBe(false);
  });

  test('loses a reservation of a dropped name that an earlier version left', async () => {
    await rename(ana, 'Anouk');
    const account = await sound.accounts.get(ana);
    if (account === null) throw new Error('there is no account');
    await sound.accounts.change(account, { formerSlugs: ['ana-lima'] });
    await sound.accounts.reserveSlug('ana-lima', ana);
    expect(await rename(bob, 'Ana Lima')).toBe(true);
    expect(await reservations()).toEqual(['ana-lima', 'anouk']);
  });

  test('may return to an earlier name, or change its spelling', async () => {
    await rename(ana, 'Anouk');
    expect(await rename(ana, 'Ana Lima')).toBe(true);
    expect(await rename(ana, 'ANA Lima')).toBe(true);
    expect((await sound.accounts.get(ana))?.body).toMatchObject({ usernameSlug: 'ana-lima', formerSlugs: ['anouk'], claims: [] });
    expect(await rename(ana, 'Anouk')).toBe(true);
    expect((await sound.users.bySlug('ana-lima'))?.uid).toBe(ana);
  });

  test('leaves no names behind when erased, and others may take them', async () => {
    await rename(ana, 'Owl');
    await rename(ana, 'Anouk');
    await sound.streams.erase(ana, 2);
    await sound.accounts.remove(ana);
    expect(await reservations()).toEqual(['bob-lima']);
    expect(await sound.users.bySlug('owl')).toBeNull();
    expect(await sound.usernames.claim('Owl', bob)).toBe(true);
  });
});

test('two users who claim a name at once: one gets it', async () => {
  const claims = await Promise.all([ana, bob].map((uid) => sound.usernames.claim('Tide', uid)));
  expect(claims.filter(Boolean)).toHaveLength(1);
});

describe('after a crash', () => {
  test('before the rename was recorded, its name becomes free after twenty minutes', async () => {
    await sound.usernames.claim('Tide', ana);
    expect(await sound.usernames.claim('Tide', bob)).toBe(false);
    expect(await sound.users.bySlug('tide')).toBeNull();
    world.clock.move(TWENTY_MINUTES);
    expect(await rename(bob, 'Tide')).toBe(true);
    expect((await sound.users.bySlug('tide'))?.uid).toBe(bob);
    await sound.usernames.settle(ana);
    expect((await sound.accounts.get(ana))?.body).toMatchObject({ usernameSlug: 'ana-lima', formerSlugs: [], claims: [] });
    expect(await reservations()).toEqual(['ana-lima', 'tide']);
  });

  test('after the rename was recorded, the name stays, and the next rename completes it', async () => {
    await sound.usernames.claim('Tide', ana);
    await append(ana, 'Tide');
    world.clock.move(TWENTY_MINUTES);
    expect(await sound.usernames.claim('Tide', bob)).toBe(false);
    expect(await rename(ana, 'Reef')).toBe(true);
    expect((await sound.accounts.get(ana))?.body).toMatchObject({ usernameSlug: 'reef', formerSlugs: ['tide'], claims: [] });
  });
});

test('a claim that came to nothing is given up', async () => {
  await sound.usernames.claim('Tide', ana);
  await sound.usernames.settle(ana, 'Tide');
  expect(await reservations()).toEqual(['ana-lima', 'bob-lima']);
  expect(await sound.usernames.claim('Tide', bob)).toBe(true);
});
