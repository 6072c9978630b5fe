import { describe, expect, test } from '@jest/globals';
import type { UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { DEFAULT_SETTINGS, NO_INFO } from '@roughmix/contracts/users/user.view.js';
import type { Stored } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { storedEvent } from '../testing/stored-event.js';
import { userDecider, type UserCommand, type UserEdit, type UserState } from './user.decider.js';

const registration = { uid: 'ana', username: 'Ana', firstName: 'Ana', lastName: 'Reyes', guest: false };
const registered = (changes: Partial<typeof registration> = {}): UserStreamEvent => ({ type: 'UserRegistered', data: { ...registration, ...changes } });
const invited = registered({ firstName: '', lastName: '' });
const photo = { contentType: 'image/png', small: 'u1-170.png', large: 'u1-680.png' };
const photographed: UserStreamEvent = { type: 'UserPhotoChanged', data: { uid: 'ana', from: null, to: photo } };
const completed: UserStreamEvent = { type: 'UserProfileCompleted', data: { uid: 'ana' } };
const erased: UserStreamEvent = { type: 'UserErased', data: { uid: 'ana' } };
const from = { username: 'Ana', firstName: 'Ana', lastName: 'Reyes' };
const renamed = (to: Partial<typeof from>): UserStreamEvent => ({ type: 'UserRenamed', data: { uid: 'ana', from, to: { ...from, ...to } } });

/** Of the edits; the events before are from the time 7. */
const NOW = 40 * 24 * 60 * 60 * 1_000;
const history = (...events: readonly UserStreamEvent[]): UserState =>
  events
    .map((event, at) => storedEvent(event, { stream: 'user-ana', revision: at, position: at + 1, at: 7 }) as Stored<UserStreamEvent>)
    .reduce((state, event) => userDecider.evolve(state, event), userDecider.initial());
const edit = (changes: Partial<UserEdit>): UserCommand => ({
  type: 'EditUser',
  data: { names: {}, info: {}, settings: {}, completesProfile: false, at: NOW, ...changes },
});
const decide = (command: UserCommand, state: UserState, uid: string | null = 'ana') => userDecider.decide(command, state, { uid });

describe('a profile', () => {
  test.each<[what: string, changes: Partial<UserEdit>, events: readonly UserStreamEvent[]]>([
    ['nothing', {}, []],
    ['the same values', { names: { ...from }, info: { about: '' }, settings: { profile: { noindex: false } } }, []],
    ['one name', { names: { username: 'Ana Reyes' } }, [renamed({ username: 'Ana Reyes' })]],
    ['a missing name', { names: { firstName: 'Anna', lastName: undefined } }, [renamed({ firstName: 'Anna' })]],
    ['one text', { info: { about: 'Sings' } }, [{ type: 'UserInfoEdited', data: { uid: 'ana', info: { ...NO_INFO, about: 'Sings' } } }]],
    [
      'one setting',
      { settings: { mailNotifs: { digest: true } } },
      [{ type: 'UserSettingsEdited', data: { uid: 'ana', settings: { ...DEFAULT_SETTINGS, mailNotifs: { todoReminders: true, digest: true } } } }],
    ],
  ])('is edited by %s', (_what, changes, events) => {
    expect(decide(edit(changes), history(registered()))).toEqual(events);
  });

  test('keeps the fields that an edit leaves out', () => {
    const state = history(registered(), { type: 'UserInfoEdited', data: { uid: 'ana', info: { location: 'Lisbon', about: 'Sings', influences: 'Rain' } } });
    expect(decide(edit({ info: { location: '' } }), state)).toEqual([
      { type: 'UserInfoEdited', data: { uid: 'ana', info: { location: '', about: 'Sings', influences: 'Rain' } } },
    ]);
  });

  describe('remembers the slug of a username', () => {
    const names = { firstName: 'Ana', lastName: 'Reyes' };
    const rename = (before: string, after: string): UserStreamEvent => ({
      type: 'UserRenamed',
      data: { uid: 'ana', from: { ...names, username: before }, to: { ...names, username: after } },
    });

    test.each<[what: string, slugs: readonly string[], events: readonly UserStreamEvent[]]>([
      ['that was chosen', ['ana', 'owl', 'tide'], [registered(), rename('Ana', 'Owl'), rename('Owl', 'Tide'), rename('Tide', 'Ana')]],
      ['that was derived, while it is the current one', ['ana-reyes'], [registered({ username: 'Ana Reyes' }), rename('Ana Reyes', 'Ana Reyes')]],
      ['that was derived, no longer', ['owl'], [registered({ username: 'Ana Reyes2' }), rename('Ana Reyes2', 'Owl')]],
      ['that was made up, no longer', ['owl'], [invited, rename('Ana', 'Owl'), completed]],
      ['that the welcome form derived, no longer', ['owl'], [invited, rename('Ana', 'Ana Reyes'), completed, rename('Ana Reyes', 'Owl')]],
      ['that was chosen in the welcome form', ['tide', 'owl'], [invited, rename('Ana', 'Tide'), completed, rename('Tide', 'Owl')]],
      [
        'that was derived, and chosen later',
        ['owl', 'ana-reyes'],
        [registered({ username: 'Ana Reyes' }), rename('Ana Reyes', 'Owl'), rename('Owl', 'Ana Reyes'), rename('Ana Reyes', 'Owl')],
      ],
      [
        'that was derived, and chosen in another spelling',
        ['ana-reyes', 'owl'],
        [registered({ username: 'Ana Reyes' }), rename('Ana Reyes', 'ana reyes'), rename('ana reyes', 'Owl')],
      ],
    ])('%s', (_what, slugs, events) => {
      expect(history(...events).person?.slugs.toSorted()).toEqual(slugs.toSorted());
    });
  });

  test.each<[who: string, state: UserState, uid: string | null, code: 'actor.mismatch' | 'user.not-found' | 'guest.read-only']>([
    ['another user', history(registered()), 'bob', 'actor.mismatch'],
    ['the system', history(registered()), null, 'actor.mismatch'],
    ['an erased user', history(registered(), erased), 'ana', 'user.not-found'],
    ['the guest', history(registered({ guest: true })), 'ana', 'guest.read-only'],
  ])('cannot be edited by %s', (_who, state, uid, code) => {
    const commands: readonly UserCommand[] = [
      edit({ info: { about: 'x' } }),
      { type: 'ChangePhoto', data: { photo } },
      { type: 'ChangeCover', data: { cover: null } },
    ];
    for (const command of commands) expect(decide(command, state, uid)).toEqual(refuse(code));
  });

  test('of someone else does not exist', () => {
    expect(userDecider.sees(history(registered()), { uid: 'bob' })).toEqual(refuse('user.not-found'));
    expect(userDecider.sees(history(registered()), { uid: 'ana' })).toBeNull();
  });
});

describe('a username', () => {
  const DAY = 24 * 60 * 60 * 1_000;
  const taken = Array.from({ length: 5 }, (_, nth) => renamed({ username: `Ana ${nth}` }));
  const rename = edit({ names: { username: 'Ana 6' } });
  const refused = refuse('throttled', { field: 'username', detail: 'You can change your username 5 times in 30 days.' });

  test('may be chosen five times in thirty days', () => {
    expect(decide(rename, history(registered(), ...taken.slice(1)))).toMatchObject([{ type: 'UserRenamed' }]);
    const state = history(registered(), ...taken);
    expect(decide(edit({ names: { username: 'Ana 6' }, at: 30 * DAY + 6 }), state)).toEqual(refused);
    expect(decide(edit({ names: { username: 'Ana 6' }, at: 30 * DAY + 7 }), state)).toMatchObject([{ type: 'UserRenamed' }]);
  });

  test('does not count when other names change, and when the welcome form sets it', () => {
    const soon = { at: 8 };
    const others = taken.map(() => renamed({ lastName: 'Lima' }));
    expect(decide(edit({ names: { username: 'Ana 6' }, ...soon }), history(registered(), ...others))).toMatchObject([{ type: 'UserRenamed' }]);
    expect(decide(edit({ names: { lastName: 'Lima' }, ...soon }), history(registered(), ...taken))).toMatchObject([{ type: 'UserRenamed' }]);
    const form = { names: { username: 'Owl' }, completesProfile: true, ...soon };
    expect(decide(edit(form), history(invited, photographed, ...taken))).toMatchObject([{ type: 'UserRenamed' }, completed]);
    expect(decide(edit({ names: { username: 'Ana 6' }, ...soon }), history(invited, ...taken.slice(1), completed))).toMatchObject([{ type: 'UserRenamed' }]);
  });
});

describe('profile completion', () => {
  test.each<[what: string, events: readonly UserStreamEvent[], completion: number]>([
    ['an account with both names', [registered()], 1],
    ['an account without names', [invited], 0],
    ['an account without a last name', [registered({ lastName: '' })], 0],
    ['the guest', [registered({ guest: true, firstName: '', lastName: '' })], 1],
    ['an account that got its names later', [invited, renamed({})], 0],
    ['an accepted welcome form', [invited, photographed, completed], 1],
  ])('of %s', (_what, events, completion) => {
    expect(history(...events).person?.profileCompletion).toBe(completion);
  });

  test('needs a photo and happens once', () => {
    const form = edit({ names: { firstName: 'Ana', lastName: 'Reyes' }, completesProfile: true });
    expect(decide(form, history(invited))).toEqual(refuse('photo.required'));
    expect(decide(form, history(invited, photographed))).toEqual([
      { type: 'UserRenamed', data: { uid: 'ana', from: { username: 'Ana', firstName: '', lastName: '' }, to: from } },
      completed,
    ]);
    expect(decide(form, history(invited, photographed, completed))).toEqual(refuse('profile.completed'));
  });
});

describe('a picture', () => {
  const cover = { contentType: 'image/png', file: 'u2-cover.png' };

  test('is set, replaced and removed; the event names the one before', () => {
    const next = { ...photo, small: 'u3-170.png' };
    expect(decide({ type: 'ChangePhoto', data: { photo } }, history(registered()))).toEqual([photographed]);
    expect(decide({ type: 'ChangePhoto', data: { photo: next } }, history(registered(), photographed))).toEqual([
      { type: 'UserPhotoChanged', data: { uid: 'ana', from: photo, to: next } },
    ]);
    expect(decide({ type: 'ChangePhoto', data: { photo: null } }, history(registered(), photographed))).toEqual([
      { type: 'UserPhotoChanged', data: { uid: 'ana', from: photo, to: null } },
    ]);
    expect(decide({ type: 'ChangeCover', data: { cover } }, history(registered()))).toEqual([
      { type: 'UserCoverChanged', data: { uid: 'ana', from: null, to: cover } },
    ]);
  });

  test('that is not there is removed without an event', () => {
    expect(decide({ type: 'ChangePhoto', data: { photo: null } }, history(registered()))).toEqual([]);
    expect(decide({ type: 'ChangeCover', data: { cover: null } }, history(registered()))).toEqual([]);
  });
});

test('only the system registers and erases, each once', () => {
  const register: UserCommand = { type: 'RegisterUser', data: registration };
  const erase: UserCommand = { type: 'EraseUser', data: { uid: 'ana' } };
  expect(decide(register, history(), null)).toEqual([registered()]);
  expect(decide(register, history(registered()), null)).toEqual([]);
  expect(decide(register, history(registered(), erased), null)).toEqual([]);
  expect(decide(erase, history(registered()), null)).toEqual([erased]);
  expect(decide(erase, history(registered(), erased), null)).toEqual([]);
  for (const command of [register, erase]) expect(decide(command, history(registered()))).toEqual(refuse('actor.mismatch'));
});

describe('blocking', () => {
  const blocked: UserStreamEvent = { type: 'UserBlocked', data: { uid: 'ana', otherUid: 'bob' } };
  const unblocked: UserStreamEvent = { type: 'UserUnblocked', data: { uid: 'ana', otherUid: 'bob' } };
  const command = (type: 'BlockUser' | 'UnblockUser', otherUid = 'bob'): UserCommand => ({ type, data: { otherUid } });

  test.each<readonly [what: string, past: readonly UserStreamEvent[], isBlocked: boolean]>([
    ['nothing', [], false],
    ['a block', [blocked], true],
    ['its end', [blocked, unblocked], false],
    ['another block', [blocked, unblocked, blocked], true],
    ['a block of another user', [{ type: 'UserBlocked', data: { uid: 'ana', otherUid: 'cleo' } }], false],
  ])('changes something only if it differs from the last state: after %s', (_what, past, isBlocked) => {
    const state = history(registered(), ...past);
    expect(decide(command('BlockUser'), state)).toEqual(isBlocked ? [] : [blocked]);
    expect(decide(command('UnblockUser'), state)).toEqual(isBlocked ? [unblocked] : []);
  });

  test('is refused to oneself, and by anyone else', () => {
    expect(decide(command('BlockUser', 'ana'), history(registered()))).toEqual(refuse('block.self'));
    expect(decide(command('BlockUser'), history(registered()), 'bob')).toEqual(refuse('actor.mismatch'));
    expect(decide(command('BlockUser'), history(registered({ guest: true })))).toEqual(refuse('guest.read-only'));
  });
});

describe('following', () => {
  const followed: UserStreamEvent = { type: 'UserFollowed', data: { uid: 'ana', otherUid: 'bob' } };
  const unfollowed: UserStreamEvent = { type: 'UserUnfollowed', data: { uid: 'ana', otherUid: 'bob' } };
  const command = (type: 'FollowUser' | 'UnfollowUser', isConnected: boolean, position: number): UserCommand => ({
    type,
    data: { otherUid: 'bob', known: { isConnected, position } },
  });

  test.each<readonly [what: string, past: readonly UserStreamEvent[], known: readonly [isConnected: boolean, position: number], isConnected: boolean]>([
    ['nothing', [], [false, 0], false],
    ['an invitation', [], [true, 9], true],
    ['a follow that the read model has not seen', [followed], [false, 1], true],
    ['a follow that it has seen', [followed], [true, 2], true],
    ['an unfollow that it has not seen', [followed, unfollowed], [true, 2], false],
    ['an unfollow that it has seen', [followed, unfollowed], [false, 3], false],
    ['an invitation after an unfollow', [followed, unfollowed], [true, 4], true],
  ])('changes something only if it differs from the last state: after %s', (_what, past, [isKnown, position], isConnected) => {
    const state = history(registered(), ...past);
    expect(decide(command('FollowUser', isKnown, position), state)).toEqual(isConnected ? [] : [followed]);
    expect(decide(command('UnfollowUser', isKnown, position), state)).toEqual(isConnected ? [unfollowed] : []);
  });

  test('is refused to oneself, and by anyone else', () => {
    const known = { isConnected: false, position: 0 };
    expect(decide({ type: 'FollowUser', data: { otherUid: 'ana', known } }, history(registered()))).toEqual(refuse('connection.self'));
    expect(decide(command('FollowUser', false, 0), history(registered()), 'bob')).toEqual(refuse('actor.mismatch'));
    expect(decide(command('FollowUser', false, 0), history(registered({ guest: true })))).toEqual(refuse('guest.read-only'));
  });
});
