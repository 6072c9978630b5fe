import { expect, test } from '@jest/globals';
import { openUsersFixture } from '../testing/users-fixture.js';
import { EmailReceiversQueries } from './email-receivers.queries.js';
import { TimeZones } from './time-zones.js';

test('e-mails go to the address of an account, in the time zone that its browser reported last, until it is erased', async () => {
  const world = await openUsersFixture();
  const people = world.process();
  const receivers = new EmailReceiversQueries(people.accounts);
  const zones = new TimeZones(people.accounts, receivers);
  const { uid } = await people.registrations.register({ email: 'ana@example.org', password: 'tape-hiss-and-rain' });
  const changed: string[] = [];
  receivers.onZoneChanged((who) => Promise.resolve(void changed.push(who)));
  expect(await receivers.of(uid)).toEqual({ email: 'ana@example.org', zone: null });
  for (const zone of ['Europe/Lisbon', 'Mars/Base', undefined, 'Europe/Lisbon']) await zones.store(uid, zone);
  expect(await receivers.of(uid)).toEqual({ email: 'ana@example.org', zone: 'Europe/Lisbon' });
  expect(changed).toEqual([uid]);
  await people.accounts.lock(uid);
  expect([await receivers.of(uid), await receivers.of('unknown')]).toEqual([null, null]);
  await world.remove();
});
