import { userStream } from '@roughmix/contracts/users/user.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { documentsOf, projectInto } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { searchForm, searchKeysOf } from './users.documents.js';
import { usersProjector } from './users.projector.js';

const registered = (uid: string, guest = false) =>
  storedEvent(
    { type: 'UserRegistered', data: { uid, username: 'Jo', firstName: 'Jo', lastName: 'Bell', guest } },
    { stream: userStream(uid), revision: 0, position: guest ? 2 : 1, at: 5, actorUid: uid },
  );

describe('user documents', () => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openTestStores();
  });
  afterEach(() => stores.close());

  test('a registered user can be found, the guest cannot', async () => {
    const events = [registered('u1'), registered('g1', true)];
    await projectInto(stores.documents, usersProjector, [events]);
    const found = await documentsOf(stores.documents, usersProjector, events);
    const facts = { username: 'Jo', firstName: 'Jo', lastName: 'Bell', dateAdded: 5 };
    expect(found['users/u1']).toEqual({
      uid: 'u1',
      ...facts,
      guest: false,
      erased: false,
      searchKeys: ['jo', 'jo ', 'jo b', 'jo be', 'jo bel', 'jo bell', 'be', 'bel', 'bell'],
      position: 1,
    });
    expect(found['users/g1']).toEqual({ uid: 'g1', ...facts, guest: true, erased: false, searchKeys: [], position: 2 });
  });
});

describe('a user search', () => {
  const keys = searchKeysOf({ username: "Zoë D'Arc", firstName: 'Zoë', lastName: "D'Arc-Müller" });

  test.each(['zo', 'zoe', 'ZOE', 'zoë', "zoe d'", 'arc', 'mul', 'Müller', "d'arc-m", "zoe d'arc-muller"])('matches %s', (question) =>
    expect(keys).toContain(searchForm(question)),
  );

  test.each(['oe', 'ller', 'z', 'zoe m', ''])('does not match %p', (question) => expect(keys).not.toContain(searchForm(question)));

  test('ignores case, accents and repeated spaces', () => expect(searchForm('  Ünï \t  CÖDE ')).toBe('uni code'));
});
