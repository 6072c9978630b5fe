import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withOverride } from '../testing/temporary-vault.js';
import { openUsersFixture, type UsersFixture, type UsersProcess } from '../testing/users-fixture.js';

let world: UsersFixture;
let sound: UsersProcess;

beforeEach(async () => {
  world = await openUsersFixture();
  sound = world.process();
});
afterEach(() => world.remove());

/** A process in which an erasure reaches an account right after its address was reserved. */
const overtakenBy = (erasing: (uid: string) => Promise<void>): UsersProcess =>
  world.process(
    withOverride(world.vault, 'insert', async (collection, id, body) => {
      const isInserted = await world.vault.insert(collection, id, body);
      if (collection === 'reserved-emails') await erasing(String(body['uid']));
      return isInserted;
    }),
  );

test.each<[when: string, erasing: (uid: string) => Promise<void>]>([
  ['is locked', (uid) => sound.accounts.lock(uid)],
  ['is gone', (uid) => sound.accounts.remove(uid)],
])('a registration whose account %s before it has a username ends', async (_when, erasing) => {
  const { registrations } = overtakenBy(erasing);
  await expect(registrations.registerInvited('invited', 'ana@example.org')).rejects.toMatchObject({ code: 'store.busy' });
  await expect(registrations.register({ email: 'bo@example.org', password: 'tape-hiss-and-rain' })).rejects.toMatchObject({ code: 'store.busy' });
  expect([await world.log.readAll({ after: 0, limit: 10 }), await world.vault.find('reserved-slugs', {})]).toEqual([[], []]);
});
