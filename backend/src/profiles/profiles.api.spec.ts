import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConnectionsAnswer, ProfilePageAnswer, ProfileProject } from '@roughmix/contracts/profiles/profile.view.js';
import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import type { UpdatedUserAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith, type CreatedProject, invite } from '../testing/project-over-http.js';
import { type Answer, bodyOf, statusAndCode, type TestClient } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;
let guest: Person;
let open: CreatedProject;
let hidden: CreatedProject;
let shared: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo] = await app.people('Ana', 'Bob', 'Cleo');
  guest = await app.guest();
  open = await aProjectWith(ana, { projectName: 'Open', isPublic: true });
  hidden = await aProjectWith(ana, { projectName: 'Hidden' });
  shared = await aProjectWith(bob, { projectName: 'Shared', collaborators: [ana] });
  for (const { versionId } of [open, hidden, shared]) await analysed(ana, versionId);
});
afterAll(() => app.stop());

const page = async (who: TestClient, href = '/@ana-tester'): Promise<ProfilePageAnswer> => bodyOf(await who.get<ProfilePageAnswer>(PROFILE_PATHS.page(href)));
const codeOf = async (who: TestClient, href: string): Promise<string> => statusAndCode(await who.get(PROFILE_PATHS.page(href)));
const follow = (who: Person, other: string): Promise<Answer<UpdatedUserAnswer>> => who.put(PROFILE_PATHS.connection(who.uid, other));
const unfollow = (who: Person, other: string): Promise<Answer<UpdatedUserAnswer>> => who.delete(PROFILE_PATHS.connection(who.uid, other));
const namesIn = (projects: readonly ProfileProject[]): readonly string[] => projects.map(({ projectName }) => projectName);
const connectionsOf = async (uid: string, who: TestClient): Promise<readonly (readonly [string, boolean])[]> =>
  bodyOf(await who.get<ConnectionsAnswer>(PROFILE_PATHS.connections(uid))).connections.map(({ username, following }) => [username, following]);

describe('a profile', () => {
  test('shows a person without their address, settings and groups', async () => {
    await ana.put(`/api/users/${ana.uid}`, { info: { about: 'Sings' } });
    const { user } = await page(app.anonymous);
    const photo = `/api/users/${ana.uid}/photo`;
    expect(user).toEqual({
      _id: ana.uid,
      uid: ana.uid,
      username: 'Ana Tester',
      firstName: 'Ana',
      lastName: 'Tester',
      smallPhoto: photo,
      largePhoto: photo,
      photoURL: photo,
      info: { location: '', about: 'Sings', influences: '' },
      coverPhoto: null,
      dateAdded: expect.any(Number),
      following: false,
      noindex: false,
    });
  });

  test('lists public projects for everyone, and those in common for members', async () => {
    expect(namesIn((await page(app.anonymous)).projects)).toEqual(['Open']);
    expect(namesIn((await page(guest)).projects)).toEqual(['Open']);
    expect(namesIn((await page(cleo)).projects)).toEqual(['Open']);
    expect(namesIn((await page(bob)).projects)).toEqual(['Shared', 'Open']);
    expect(namesIn((await page(bob, '/@bob-tester')).projects)).toEqual(['Shared']);
    expect(namesIn((await page(app.anonymous, '/@bob-tester')).projects)).toEqual([]);
  });

  test('lists all projects to the person themselves, by either path, the newest change first', async () => {
    const own = await page(ana, '/home');
    expect(own).toEqual(await page(ana));
    expect(namesIn(own.projects)).toEqual(['Shared', 'Hidden', 'Open']);
    await ana.put(`/api/projects/${hidden.projectId}`, { submission: { description: 'Newer' } });
    expect(namesIn((await page(ana, '/home')).projects)).toEqual(['Hidden', 'Shared', 'Open']);
  });

  test('shows each project with its owner and current version, and peaks only with a session', async () => {
    const [withSession, without] = await Promise.all([page(guest), page(app.anonymous)]);
    const shown = {
      _id: open.projectId,
      projectName: 'Open',
      owner: expect.objectContaining({ uid: ana.uid, username: 'Ana Tester' }),
      currentVersion: { _id: open.versionId, majorUpdate: 1, minorUpdate: 0, tinySummary: 'Initial Version', duration: expect.any(Number) },
      peaksUrl: null,
      dateModified: expect.any(Number),
      position: expect.any(Number),
    };
    expect(without.projects).toEqual([shown]);
    expect(withSession.projects).toEqual([{ ...shown, peaksUrl: `/api/media/${open.versionId}/peaks` }]);
  });

  test('is found by its slug in any case, percent-encoded or not, and by a former one', async () => {
    expect((await page(cleo, '/@ANA-Tester')).user.uid).toBe(ana.uid);
    for (const username of ['Reef', 'Zoë Łuk']) await cleo.put(`/api/users/${cleo.uid}`, { username });
    for (const href of ['/@zoë-łuk', `/@${encodeURIComponent('zoë-łuk')}`, '/@reef']) expect((await page(ana, href)).user.uid).toBe(cleo.uid);
  });

  test.each<readonly [href: string, who: () => TestClient, expected: string]>([
    ['/home', () => app.anonymous, '401 auth.required'],
    ['/home', () => guest, '404 user.not-found'],
    ['/HOME', () => ana, '400 request.invalid'],
    ['/@nobody-here', () => ana, '404 user.not-found'],
    ['/@guest', () => ana, '404 user.not-found'],
    ['/projects', () => ana, '400 request.invalid'],
    ['/@', () => ana, '400 request.invalid'],
    ['/@ana-tester/x', () => ana, '400 request.invalid'],
    ['/@%E0', () => ana, '400 request.invalid'],
    ['ana-tester', () => ana, '400 request.invalid'],
  ])('at %s is refused', async (href, who, expected) => {
    expect(await codeOf(who(), href)).toBe(expected);
  });

  test('needs a path', async () => {
    expect(statusAndCode(await ana.get('/api/users/fetchProfilePageUserData'))).toBe('400 request.invalid');
    expect(statusAndCode(await ana.get('/api/users/fetchProfilePageUserData?href=/home&href=/home'))).toBe('400 request.invalid');
  });
});

describe('connections', () => {
  test('an invitation connects both sides when it takes effect', async () => {
    expect(await connectionsOf(bob.uid, cleo)).toEqual([['Ana Tester', false]]);
    expect(await connectionsOf(ana.uid, bob)).toEqual([['Bob Tester', false]]);
    expect(await connectionsOf(bob.uid, bob)).toEqual([['Ana Tester', true]]);
  });

  test('following adds to the own connections, once, and unfollowing takes out the own side only', async () => {
    const [dan, eve] = await app.people('Dan', 'Eve');
    const first = bodyOf(await follow(dan, eve.uid)).updatedUser;
    expect(first.connections).toEqual({ [eve.uid]: expect.any(Number) });
    const again = await follow(dan, eve.uid);
    expect([again.status, again.headers.get('x-position'), bodyOf(again).updatedUser]).toEqual([200, null, first]);
    expect([(await page(dan, '/@eve-tester')).user.following, (await page(eve, '/@dan-tester')).user.following]).toEqual([true, false]);
    await follow(eve, dan.uid);
    const gone = bodyOf(await unfollow(dan, eve.uid)).updatedUser;
    expect([gone.connections, gone.position > first.position]).toEqual([{}, true]);
    expect((await unfollow(dan, eve.uid)).headers.get('x-position')).toBeNull();
    expect([await connectionsOf(dan.uid, cleo), await connectionsOf(eve.uid, cleo)]).toEqual([[], [['Dan Tester', false]]]);
  });

  test('someone connected by an invitation is followed already, can be unfollowed, which ends it for both, and is connected again by a later invitation', async () => {
    const [fay, gus] = await app.people('Fay', 'Gus');
    const { projectId } = await aProjectWith(fay, { viewers: [`${gus.uid}-0`] });
    const connectedAt = async (): Promise<number | undefined> =>
      bodyOf(await gus.get<{ user: UpdatedUserAnswer['updatedUser'] }>(`/api/users/auth/${gus.uid}`)).user.connections[fay.uid];
    const since = await connectedAt();
    expect((await follow(gus, fay.uid)).headers.get('x-position')).toBeNull();
    expect(bodyOf(await unfollow(gus, fay.uid)).updatedUser.connections).toEqual({});
    expect(await connectionsOf(fay.uid, fay)).toEqual([]);
    expect((await unfollow(fay, gus.uid)).headers.get('x-position')).toBeNull();
    await gus.post(`/api/projects/${projectId}/leave`);
    bodyOf(await invite(fay, projectId, [gus.uid]));
    expect(await connectedAt()).toBeGreaterThan(since ?? Infinity);
    bodyOf(await unfollow(gus, fay.uid));
    expect(await connectedAt()).toBeUndefined();
  });
});

describe('lists of connections', () => {
  test('are shown to people with an account only', async () => {
    expect(await connectionsOf(ana.uid, cleo)).toEqual([['Bob Tester', false]]);
    for (const who of [app.anonymous, guest]) {
      expect(await connectionsOf(ana.uid, who)).toEqual([]);
      expect((await page(who)).connections).toEqual([]);
    }
  });

  test('who hide from search are shown to their own connections only, from either end', async () => {
    const [lou, mia, ned] = await app.people('Lou', 'Mia', 'Ned');
    await aProjectWith(lou, { viewers: [`${mia.uid}-0`] });
    bodyOf(await follow(mia, bob.uid));
    bodyOf(await mia.put(`/api/users/${mia.uid}`, { settings: { profile: { hideFromSearch: true, noindex: true } } }));
    // Following someone does not make one of their connections.
    bodyOf(await follow(ned, mia.uid));
    const seen = async (who: TestClient): Promise<unknown> => [await connectionsOf(lou.uid, who), await connectionsOf(mia.uid, who)];
    for (const who of [ned, cleo, app.anonymous, guest]) expect(await seen(who)).toEqual([[], []]);
    const [ofLou, ofMia] = [
      [['Mia Tester', false]],
      [
        ['Bob Tester', false],
        ['Lou Tester', false],
      ],
    ];
    expect(await seen(bob)).toEqual([ofLou, ofMia]);
    expect(await seen(mia)).toEqual([
      ofLou,
      [
        ['Bob Tester', true],
        ['Lou Tester', true],
      ],
    ]);
    expect(await seen(lou)).toEqual([[['Mia Tester', true]], ofMia]);
    expect(await connectionsOf(ned.uid, ned)).toEqual([['Mia Tester', true]]);
    expect((await page(cleo, '/@lou-tester')).connections).toEqual([]);
  });
});

describe('the connections of a user', () => {
  test('are sorted by name without case and accents, and marked for the caller', async () => {
    const [ida, ...others] = await Promise.all([
      app.person('Ida'),
      app.person('élan', 'b'),
      app.person('Elan', 'a'),
      app.person('Zed', 'z'),
      app.person('ada', 'x'),
    ]);
    for (const { uid } of others) bodyOf(await follow(ida, uid));
    bodyOf(await follow(bob, others[2]?.uid ?? ''));
    expect(await connectionsOf(ida.uid, bob)).toEqual([
      ['ada x', false],
      ['Elan a', false],
      ['élan b', false],
      ['Zed z', true],
    ]);
    expect((await page(bob, '/@ida-tester')).connections).toEqual(bodyOf(await bob.get<ConnectionsAnswer>(PROFILE_PATHS.connections(ida.uid))).connections);
  });

  test.each<readonly [what: string, ask: () => Promise<Answer>, expected: string]>([
    ['following oneself', () => follow(ana, ana.uid), '400 connection.self'],
    ['following the guest', () => follow(ana, guest.uid), '404 user.not-found'],
    ['following an unknown user', () => follow(ana, 'x'.repeat(22)), '404 user.not-found'],
    ['unfollowing an unknown user', () => unfollow(ana, 'constructor'), '404 user.not-found'],
    ['an unknown field', () => ana.put(PROFILE_PATHS.connection(ana.uid, bob.uid), { colour: 1 }), '400 request.unknown-field'],
    ['the connections of an unknown user', () => ana.get(PROFILE_PATHS.connections('nobody')), '404 user.not-found'],
    ['the connections of the guest', () => ana.get(PROFILE_PATHS.connections(guest.uid)), '404 user.not-found'],
  ])('%s is refused', async (_what, ask, expected) => {
    expect(statusAndCode(await ask())).toBe(expected);
  });

  test('one who hides from search is found only by those who have them among their connections', async () => {
    const [hal, ivy] = await app.people('Hallvard', 'Ivy');
    bodyOf(await follow(ivy, hal.uid));
    bodyOf(await hal.put(`/api/users/${hal.uid}`, { settings: { profile: { hideFromSearch: true } } }));
    const found = async (who: Person): Promise<readonly string[]> =>
      bodyOf(await who.get<UsersAnswer>('/api/users/search?q=hallv')).users.map(({ username }) => username);
    expect([await found(ivy), await found(ana)]).toEqual([['Hallvard Tester'], []]);
  });

  test('an erased user leaves profiles and connections', async () => {
    const [jon, kim] = await app.people('Jon', 'Kim');
    bodyOf(await follow(kim, jon.uid));
    bodyOf(await follow(jon, kim.uid));
    bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: jon.uid }));
    expect([await codeOf(kim, '/@jon-tester'), statusAndCode(await kim.get(PROFILE_PATHS.connections(jon.uid)))]).toEqual([
      '404 user.not-found',
      '404 user.not-found',
    ]);
    expect((await page(kim, '/home')).connections).toEqual([]);
    expect(statusAndCode(await follow(kim, jon.uid))).toBe('404 user.not-found');
  });

  test('the members of a project are shown to its members only', async () => {
    const usersOf = (who: Person): Promise<Answer<UsersAnswer>> => who.get(`/api/users/${who.uid}/fetchProjectUsers?projectId=${shared.projectId}`);
    expect(bodyOf(await usersOf(ana)).users.map(({ username }) => username)).toEqual(['Bob Tester', 'Ana Tester']);
    expect(statusAndCode(await usersOf(cleo))).toBe('404 project.not-found');
  });
});
