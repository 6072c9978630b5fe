import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS, type SelfView, type UpdatedUserAnswer, type UserAnswer, type UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
});
afterAll(() => app.stop());

const edit = (who: Person, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer<UpdatedUserAnswer>> =>
  who.put(`/api/users/${who.uid}`, body, headers);
const edited = async (who: Person, body: object): Promise<SelfView> => bodyOf(await edit(who, body)).updatedUser;
const self = async (who: Person): Promise<SelfView> => bodyOf(await who.get<UserAnswer>(`/api/users/auth/${who.uid}`)).user;

describe('a profile', () => {
  test('starts empty, with the default settings', async () => {
    const user = await self(ana);
    expect(user).toMatchObject({ info: { location: '', about: '', influences: '' }, coverPhoto: null, settings: DEFAULT_SETTINGS });
    expect([user.createdDate, user.connections, user.groups, user.groupNotifications]).toEqual([user.dateAdded, {}, [], {}]);
  });

  test('is merged field by field and returned whole', async () => {
    expect((await edited(ana, { info: { about: 'Sings\nand plays', location: 'Lisbon' } })).info).toEqual({
      location: 'Lisbon',
      about: 'Sings\nand plays',
      influences: '',
    });
    expect((await edited(ana, { info: { location: '', influences: 'Rain' } })).info).toEqual({ location: '', about: 'Sings\nand plays', influences: 'Rain' });
    const { settings } = await edited(ana, { settings: { pushNotifs: { activity: true }, profile: { noindex: true } } });
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      pushNotifs: { ...DEFAULT_SETTINGS.pushNotifs, activity: true },
      profile: { hideFromSearch: false, noindex: true },
    });
    expect(await self(ana)).toMatchObject({ settings, info: { influences: 'Rain' } });
  });

  test('is edited by a command: it names its position, is recognised when repeated, and appends nothing without a change', async () => {
    const headers = { 'Idempotency-Key': 'edit-ana-once' };
    const first = await edit(ana, { firstName: 'Anna', info: { location: 'Porto' } }, headers);
    expect([first.status, first.headers.get('x-position'), first.body.updatedUser.position]).toEqual([
      200,
      String(first.body.updatedUser.position),
      Number(first.headers.get('x-position')),
    ]);
    const again = await edit(ana, { firstName: 'Anna', info: { location: 'Porto' } }, headers);
    expect([again.headers.get('idempotent-replayed'), again.headers.get('x-position'), again.body]).toEqual([
      'true',
      first.headers.get('x-position'),
      first.body,
    ]);
    expectRefused(await edit(ana, { firstName: 'Anne' }, headers), 'command.key-reused');
    const same = await edit(ana, { firstName: 'Anna', username: 'Ana Tester' });
    expect([same.status, same.headers.get('x-position'), same.body]).toEqual([200, null, first.body]);
  });
});

describe('an edit of a profile', () => {
  test.each<[body: object, word: string]>([
    [{ firstName: '' }, '400 request.invalid'],
    [{ firstName: 'x'.repeat(51) }, '400 limit.firstName'],
    [{ lastName: 'x'.repeat(51) }, '400 limit.lastName'],
    [{ firstName: 'Two words' }, '400 name.space'],
    [{ lastName: 'Tab\tbed' }, '400 name.space'],
    [{ lastName: 'Reyes\u2003' }, '400 name.space'],
    [{ lastName: 'Reyes\u0085' }, '400 name.space'],
    [{ firstName: '\u202Eevil' }, '400 name.space'],
    [{ firstName: 'a\u0000b' }, '400 name.space'],
    [{ lastName: '\u200B' }, '400 name.space'],
    [{ lastName: '\u3164' }, '400 name.space'],
    [{ username: 'a_b_c' }, '400 username.invalid'],
    [{ username: 'al' }, '400 username.invalid'],
    [{ username: '' }, '400 request.invalid'],
    [{ username: ' \u00A0' }, '400 request.invalid'],
    [{ username: '🎸🎸🎸' }, '400 username.invalid'],
    [{ username: 'x'.repeat(31) }, '400 limit.username'],
    [{ username: 'bob TESTER' }, '409 user.username-taken'],
    [{ username: 'Bob-Tester' }, '409 user.username-taken'],
    [{ username: 'everyone' }, '409 user.username-taken'],
    [{ username: 'API' }, '409 user.username-taken'],
    [{ username: 'socket.io' }, '409 user.username-taken'],
    [{ username: 'Support' }, '409 user.username-taken'],
    [{ username: 'Roughmix-Team' }, '409 user.username-taken'],
    [{ username: '\u0430dmin' }, '409 user.username-taken'],
    [{ username: 'B\u043Eb Tester' }, '409 user.username-taken'],
    [{ firstName: 'Roughmix', lastName: 'Support' }, '400 name.reserved'],
    [{ firstName: 'Roughmix' }, '400 name.reserved'],
    [{ username: null }, '400 request.invalid'],
    [{ info: null }, '400 request.invalid'],
    [{ info: { about: null } }, '400 request.invalid'],
    [{ info: { about: '\uD800' } }, '400 request.invalid'],
    [{ info: { other: 'x' } }, '400 request.unknown-field'],
    [{ settings: { pushNotifs: { enabled: 1 } } }, '400 request.invalid'],
    [{ settings: { pushNotifs: { enabled: null } } }, '400 request.invalid'],
    [{ email: 'x@example.org' }, '400 request.unknown-field'],
  ])('of %j is refused: %s', async (body, word) => {
    expect(statusAndCode(await edit(ana, body))).toBe(word);
  });

  test.each([
    ['location', 80],
    ['about', 2_000],
    ['influences', 500],
  ])('of %s is refused above %i characters', async (field, limit) => {
    expectRefused(await edit(ana, { info: { [field]: 'x'.repeat(limit + 1) } }), 'limit.info', {
      field,
      limit,
      detail: `Profile texts have at most ${limit} characters`,
    });
    expect(statusAndCode(await edit(ana, { info: { [field]: 'x'.repeat(limit) } }))).toBe('200');
  });

  test('may hide a user from searches', async () => {
    const cleo = await app.person('Cleo');
    const found = async (): Promise<number> => bodyOf(await ana.get<UsersAnswer>('/api/users/search?q=cleo')).users.length;
    expect(await found()).toBe(1);
    await edited(cleo, { settings: { profile: { hideFromSearch: true } } });
    expect(await found()).toBe(0);
    await edited(cleo, { firstName: 'Cleopatra', settings: { profile: { hideFromSearch: false } } });
    expect(await found()).toBe(1);
  });

  test('is up to its user', async () => {
    expectRefused(await ana.put(`/api/users/${bob.uid}`, { firstName: 1 }), 'actor.mismatch');
    expectRefused(await app.anonymous.put(`/api/users/${bob.uid}`, {}), 'auth.required');
    const guest = await app.guest();
    expectRefused(await edit(guest, { firstName: 'Gus' }), 'guest.read-only');
  });
});

describe('names', () => {
  test('keeps emoji and spelling of names, and trims and composes usernames', async () => {
    expect(await edited(bob, { firstName: 'Bob🎸', lastName: 'Łuk' })).toMatchObject({ firstName: 'Bob🎸', lastName: 'Łuk', username: 'Bob Tester' });
    expect((await edited(bob, { username: '  Zoe\u0308 Łuk ' })).username).toBe('Zoë Łuk');
    expectRefused(await edit(ana, { username: 'ZOË łuk' }), 'user.username-taken', { field: 'username' });
    expect((await edited(bob, { username: 'Zoë  Łuk' })).username).toBe('Zoë  Łuk');
    expectRefused(await edit(ana, { username: 'Zoë   Łuk' }), 'user.username-taken', { field: 'username' });
    expect((await edited(bob, { username: 'Bob Tester' })).username).toBe('Bob Tester');
    expectRefused(await edit(ana, { username: 'bob tester' }), 'user.username-taken', { field: 'username' });
  });

  test('are refused if together they look official', async () => {
    const hugo = await app.person('Hugo');
    expect(await edited(hugo, { lastName: 'Support' })).toMatchObject({ firstName: 'Hugo', lastName: 'Support' });
    expectRefused(await edit(hugo, { firstName: 'Customer' }), 'name.reserved', { field: 'firstName' });
  });

  test('five usernames may be chosen in thirty days', async () => {
    const rosa = await app.person('Rosa');
    for (const nth of [1, 2, 3, 4, 5]) await edited(rosa, { username: `Rosa ${nth}` });
    const sixth = await edit(rosa, { username: 'Rosa 6', info: { about: 'Sings' } });
    expectRefused(sixth, 'throttled', { field: 'username', detail: 'You can change your username 5 times in 30 days.' });
    expect(await edited(rosa, { firstName: 'Rosalia', username: 'Rosa 5' })).toMatchObject({ firstName: 'Rosalia', username: 'Rosa 5' });
    expect((await edited(bob, { username: 'Rosa 6' })).username).toBe('Rosa 6');
  });
});
