import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { DEFAULT_SETTINGS, NO_INFO } from '@roughmix/contracts/users/user.view.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { documentsOf, projectInto } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { erasedUser, searchForm, searchKeysOf } from './users.documents.js';
import { usersProjector } from './users.projector.js';

const registered = (uid: string, guest = false) =>
  storedEvent(
    { type: 'UserRegistered', data: { uid, username: 'Jo', firstName: 'Jo', lastName: 'Bell', guest } },
    { stream: userStream(uid), revision: 0, position: guest ? 2 : 1, at: 5, actorUid: uid },
  );

const changed = (event: UserStreamEvent, position: number) => storedEvent(event, { stream: userStream('u1'), revision: position - 1, position, at: 5 });

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
      isComplete: true,
      slugs: ['jo'],
      hasDerivedUsername: false,
      photo: null,
      isHiddenFromSearch: false,
      lookalikeKeys: ['shown Jo', 'slug jo'],
      searchKeys: ['jo', 'jo ', 'jo b', 'jo be', 'jo bel', 'jo bell', 'be', 'bel', 'bell'],
      position: 1,
    });
    expect(found['users/g1']).toMatchObject({ uid: 'g1', ...facts, guest: true, erased: false, searchKeys: [], position: 2 });
    const profile = { info: NO_INFO, settings: DEFAULT_SETTINGS, cover: null, profileCompletion: 1, wantsDigest: false };
    expect(found['profiles/u1']).toEqual({ uid: 'u1', ...profile, position: 1 });
  });

  test('a renamed user keeps the earlier slug; one who hides cannot be found', async () => {
    const from = { username: 'Jo', firstName: 'Jo', lastName: 'Bell' };
    const hidden = { ...DEFAULT_SETTINGS, mailNotifs: { todoReminders: true, digest: true }, profile: { hideFromSearch: true, noindex: false } };
    const events = [
      registered('u1'),
      changed({ type: 'UserRenamed', data: { uid: 'u1', from, to: { ...from, username: 'Jo Bell' } } }, 2),
      changed({ type: 'UserSettingsEdited', data: { uid: 'u1', settings: hidden } }, 3),
    ];
    await projectInto(stores.documents, usersProjector, [events, events]);
    const found = await documentsOf(stores.documents, usersProjector, events);
    expect(found['users/u1']).toMatchObject({ username: 'Jo Bell', slugs: ['jo', 'jo-bell'], searchKeys: [], position: 3 });
    expect(found['profiles/u1']).toMatchObject({ settings: hidden, wantsDigest: true, position: 3 });
  });

  test('a user is found once the profile is complete, and the slug of the username before is dropped', async () => {
    const before = { username: 'jo.bell', firstName: '', lastName: '' };
    const events = [
      storedEvent<UserStreamEvent>(
        { type: 'UserRegistered', data: { uid: 'u1', ...before, guest: false } },
        { stream: userStream('u1'), revision: 0, position: 1, at: 5, actorUid: null },
      ),
      changed({ type: 'UserRenamed', data: { uid: 'u1', from: before, to: { username: 'Owl', firstName: 'Jo', lastName: 'Bell' } } }, 2),
    ];
    const form = changed({ type: 'UserProfileCompleted', data: { uid: 'u1' } }, 3);
    await projectInto(stores.documents, usersProjector, [events]);
    expect((await documentsOf(stores.documents, usersProjector, events))['users/u1']).toMatchObject({ isComplete: false, slugs: ['owl'], searchKeys: [] });
    const all = [...events, form];
    await projectInto(stores.documents, usersProjector, [all, all]);
    expect((await documentsOf(stores.documents, usersProjector, all))['users/u1']).toMatchObject({
      isComplete: true,
      slugs: ['owl'],
      searchKeys: expect.arrayContaining(['owl', 'jo bell']),
      position: 3,
    });
  });

  test('an erased user leaves only the uid', async () => {
    const photo = { contentType: 'image/png', small: 's.png', large: 'l.png' };
    const events = [
      registered('u1'),
      changed({ type: 'UserPhotoChanged', data: { uid: 'u1', from: null, to: photo } }, 2),
      changed({ type: 'UserErased', data: { uid: 'u1' } }, 3),
    ];
    await projectInto(stores.documents, usersProjector, [events, events]);
    const found = await documentsOf(stores.documents, usersProjector, events);
    expect(found['users/u1']).toEqual(erasedUser('u1', 3));
    expect(found['profiles/u1']).toBeNull();
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
