import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConnectionView, ProfilePageAnswer, ProfileProject, ProfileView } from '@roughmix/contracts/profiles/profile.view.js';
import { NO_INFO, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { controlsOf } from '../../testing/controls-of';
import { openPage } from '../../testing/open-page';
import { personCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana', { connections: { cleo: 5 }, position: 10 });
const [bob, cleo, dan] = [personCalled('Bob'), personCalled('Cleo'), personCalled('Dan')];
const nobody = { status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } };
const missing = { status: 404, json: { code: 'user.not-found', status: 404, detail: 'There is no such user.' } };

const connected = (person: PersonView, following = false): ConnectionView => ({ ...person, following });
const profileOf = (person: PersonView, changes: Partial<ProfileView> = {}): ProfileView => ({
  ...connected(person),
  info: NO_INFO,
  coverPhoto: null,
  dateAdded: 0,
  noindex: false,
  ...changes,
});
const project = (projectName: string, owner: PersonView, changes: Partial<ProfileProject> = {}): ProfileProject => ({
  _id: projectName.toLowerCase(),
  projectName,
  owner,
  currentVersion: { _id: 'v1', majorUpdate: 2, minorUpdate: 1, tinySummary: 'Louder', duration: 60 },
  peaksUrl: null,
  dateModified: 0,
  position: 1,
  ...changes,
});

let server: StubServer;
let data: ProfilePageAnswer;
beforeEach(async () => {
  data = { user: profileOf(bob), projects: [project('Low', bob), project('Tide', ana)], connections: [connected(ana), connected(cleo, true), connected(dan)] };
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/users/fetchProfilePageUserData': () => ({ json: data }),
    'GET /api/users/:id/fetchUserConnections': () => ({ json: { connections: [] } }),
    'GET /api/projects/:uid': () => ({ json: { projects: [] } }),
    'GET /api/collections/:uid': () => ({ json: { collections: [] } }),
  });
});
afterEach(() => server.close());

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const row = (name: string) =>
  within(screen.getByRole('region', { name: /^Connections/ }))
    .getByRole('link', { name })
    .closest('li') as HTMLElement;
const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);

describe('a public profile', () => {
  test('shows what the person says about themselves, shared projects with their owners, and connections', async () => {
    data = { ...data, user: profileOf(bob, { info: { location: 'Trieste', about: 'Writes slow songs.', influences: 'tape hiss' } }) };
    openPage('/@bob');
    await heading('Bob');
    expect(asked()).toContain('GET /api/users/fetchProfilePageUserData?href=%2F%40bob');
    for (const text of ['Trieste', 'Writes slow songs.', 'Influences: tape hiss', '2 shared projects']) expect(screen.getByText(text)).toBeInTheDocument();
    const projects = within(screen.getByRole('region', { name: 'Shared Projects' })).getAllByRole('listitem');
    expect(projects.map(({ textContent }) => textContent)).toEqual(['LowBob, 2.1 LouderGo to Project Low', 'TideAna, 2.1 LouderGo to Project Tide']);
    expect(document.title).toBe('Bob | Roughmix beta');
  });

  test('the keyboard reaches these controls, in this order; a connection leads to its page, or home for oneself', async () => {
    openPage('/@bob');
    await heading('Bob');
    expect(controlsOf(screen.getByRole('main'))).toEqual([
      'button: Follow Bob',
      'button: Block Bob',
      'link: Ana',
      'link: Cleo',
      'button: Following Cleo',
      'link: Dan',
      'button: Follow Dan',
      'link: Bob',
      'link: Go to Project Low',
      'link: Ana',
      'link: Go to Project Tide',
    ]);
    const leadsTo = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(leadsTo.slice(-7)).toEqual(['/home', '/@cleo', '/@dan', '/@bob', '/bob/projects/low', '/home', '/projects/tide']);
  });

  test('of someone without anything says so', async () => {
    data = { user: profileOf(bob), projects: [], connections: [] };
    openPage('/@bob');
    await heading('Bob');
    expect(screen.getByText('No shared projects (yet).')).toBeInTheDocument();
    expect(screen.getByText('No connections (yet).')).toBeInTheDocument();
  });

  test('a former username leads to the current one', async () => {
    data = { ...data, user: profileOf({ ...bob, username: 'Bob Stone' }) };
    const page = openPage('/@bobby');
    await waitFor(() => expect(page.address()).toBe('/@bob-stone'));
  });

  test('that does not exist says so, and leads on', async () => {
    server.answer({ 'GET /api/users/fetchProfilePageUserData': () => missing });
    openPage('/@nobody');
    await heading('No such profile');
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Projects' })).toHaveAttribute('href', '/projects');
  });

  test('that cannot be loaded can be asked for again', async () => {
    server.answer({ 'GET /api/users/fetchProfilePageUserData': () => ({ status: 503, json: { code: 'store.away', status: 503, detail: 'Away.' } }) });
    openPage('/@bob');
    const retry = await screen.findByRole('button', { name: 'Retry' });
    server.answer({ 'GET /api/users/fetchProfilePageUserData': () => ({ json: data }) });
    await userEvent.click(retry);
    expect(await heading('Bob')).toBeInTheDocument();
  });

  test('while it loads, a placeholder stands in for it', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    server.answer({
      'GET /api/users/fetchProfilePageUserData': async () => {
        await released;
        return { json: data };
      },
    });
    openPage('/@bob');
    expect(await screen.findByRole('status', { name: 'Loading profile' })).toBeInTheDocument();
    release();
    await heading('Bob');
    expect(screen.queryByRole('status', { name: 'Loading profile' })).not.toBeInTheDocument();
  });
});

describe('following', () => {
  test('shows at once, and the session keeps it', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    server.answer({
      'PUT /api/users/ana/connections/dan': async () => {
        await released;
        return { json: { updatedUser: { ...ana, connections: { cleo: 5, dan: 6 }, position: 11 } } };
      },
    });
    openPage('/@bob');
    await heading('Bob');
    await userEvent.click(within(row('Dan')).getByRole('button', { name: 'Follow Dan' }));
    expect(within(row('Dan')).getByRole('button', { name: 'Following Dan' })).toBeInTheDocument();
    release();
    await waitFor(() => expect(asked()).toContain('PUT /api/users/ana/connections/dan'));
    expect(within(row('Dan')).getByRole('button', { name: 'Following Dan' })).toBeInTheDocument();
  });

  test('a refused change is taken back, and can be tried again', async () => {
    const away = { status: 404, json: { code: 'user.not-found', status: 404, detail: 'There is no such user.' } };
    server.answer({ 'DELETE /api/users/ana/connections/cleo': () => away });
    openPage('/@bob');
    await heading('Bob');
    await userEvent.click(within(row('Cleo')).getByRole('button', { name: 'Following Cleo' }));
    expect(await screen.findByText('Cleo: There is no such user.')).toBeInTheDocument();
    expect(within(row('Cleo')).getByRole('button', { name: 'Following Cleo' })).toBeInTheDocument();
    server.answer({ 'DELETE /api/users/ana/connections/cleo': () => ({ json: { updatedUser: { ...ana, connections: {}, position: 12 } } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await within(row('Cleo')).findByRole('button', { name: 'Follow Cleo' })).toBeInTheDocument();
  });

  test('for a guest shows why it is refused', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: { ...ana, isGuest: true, connections: {} }, staffRole: null } }) });
    openPage('/@bob');
    await heading('Bob');
    await userEvent.click(screen.getByRole('button', { name: 'Follow Bob' }));
    expect(await screen.findByText("Guests aren't allowed to edit data.")).toBeInTheDocument();
  });
});

describe('blocking', () => {
  test('asks first, shows that the person is blocked, and is taken back at once', async () => {
    server.answer({ 'PUT /api/users/ana/blocked/bob': () => ({ status: 204 }), 'DELETE /api/users/ana/blocked/bob': () => ({ status: 204 }) });
    openPage('/@bob');
    await heading('Bob');
    await userEvent.click(screen.getByRole('button', { name: 'Block Bob' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Block Bob?' }));
    expect(question.getByText(/^They can no longer add you to projects/)).toBeInTheDocument();
    await userEvent.click(question.getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('You blocked Bob.')).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Unblock Bob' }));
    expect(await screen.findByRole('button', { name: 'Block Bob' })).toBeInTheDocument();
    expect(asked().filter((call) => call.includes('/blocked/'))).toEqual(['PUT /api/users/ana/blocked/bob', 'DELETE /api/users/ana/blocked/bob']);
  });

  test('that fails says why', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: { ...ana, blocked: ['bob'] }, staffRole: null } }) });
    server.answer({ 'DELETE /api/users/ana/blocked/bob': () => missing });
    openPage('/@bob');
    await heading('Bob');
    await userEvent.click(screen.getByRole('button', { name: 'Unblock Bob' }));
    expect(await screen.findByText('Bob: There is no such user.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Unblock Bob' })).toBeInTheDocument();
  });

  test('is not offered to guests', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: { ...ana, isGuest: true, connections: {} }, staffRole: null } }) });
    openPage('/@bob');
    await heading('Bob');
    expect(screen.queryByRole('button', { name: 'Block Bob' })).not.toBeInTheDocument();
  });
});

describe('without a session', () => {
  beforeEach(() => server.answer({ 'GET /api/auth/session': () => nobody }));

  test('a profile is shown with a bar that offers the login, over the page', async () => {
    const page = openPage('/@bob');
    await heading('Bob');
    const bar = within(screen.getByRole('region', { name: 'Log in' }));
    expect(bar.getByText('Log in to follow Bob and to open these projects.')).toBeInTheDocument();
    await userEvent.click(bar.getByRole('button', { name: 'Log In' }));
    expect(await screen.findByRole('dialog', { name: 'Log In' })).toBeInTheDocument();
    expect(page.address()).toBe('/@bob');
    expect(page.connections()).toBe(0);
  });

  test.each<[who: string, session: object]>([
    ['without a session', nobody],
    ['to the guest', { json: { user: { ...ana, isGuest: true, connections: {} }, staffRole: null } }],
  ])('connections are not shown %s, and the page says who can see them', async (_who, session) => {
    data = { ...data, connections: [] };
    server.answer({ 'GET /api/auth/session': () => session });
    openPage('/@bob');
    await heading('Bob');
    expect(within(screen.getByRole('region', { name: 'Connections' })).getByText('Only people with an account can see connections.')).toBeInTheDocument();
  });

  test.each(['Follow Bob', 'Go to Project Low'])('%s asks for the login', async (name) => {
    openPage('/@bob');
    await heading('Bob');
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByRole('dialog', { name: 'Log In' })).toBeInTheDocument();
  });

  test.each(['/home', '/somewhere'])('%s leads to the login', async (address) => {
    const page = openPage(address);
    await screen.findByRole('button', { name: 'Log In' });
    expect(page.address()).toBe('/login');
  });
});

describe('/home', () => {
  test('is the own profile, which leads with the latest project, and can be edited', async () => {
    data = { ...data, user: profileOf(ana), connections: [connected(cleo, true)] };
    openPage('/home');
    await heading('Ana');
    expect(asked()).toContain('GET /api/users/fetchProfilePageUserData?href=%2Fhome');
    expect(within(screen.getByRole('region', { name: 'Latest Project' })).getAllByRole('listitem')).toHaveLength(1);
    expect(within(screen.getByRole('region', { name: 'Other Projects' })).getByRole('heading', { name: 'Tide' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    expect(await screen.findByRole('dialog', { name: 'Settings' })).toBeInTheDocument();
  });

  test('shows cover, photo, location, about and connections', async () => {
    const own = profileOf(
      { ...ana, largePhoto: '/api/users/ana/images/2-large' },
      { info: { location: 'Trieste', about: 'Writes slow songs.', influences: '' }, coverPhoto: '/api/users/ana/images/3' },
    );
    data = { ...data, user: own, connections: [connected(cleo, true), connected(dan, true)] };
    openPage('/home');
    await heading('Ana');
    const pictures = [...document.querySelectorAll('img')].map((picture) => picture.getAttribute('src'));
    expect(pictures).toEqual(expect.arrayContaining(['/api/users/ana/images/3', '/api/users/ana/images/2-large']));
    for (const text of ['Trieste', 'Writes slow songs.']) expect(screen.getByText(text)).toBeInTheDocument();
    const people = within(screen.getByRole('region', { name: /^Connections/ })).getAllByRole('listitem');
    expect(people.map((one) => within(one).getByRole('link').textContent)).toEqual(['Cleo', 'Dan']);
  });

  test('has the waveform of the latest project that has one as its cover, rather than the picture', async () => {
    const peaksUrl = '/api/media/v1/peaks';
    data = { ...data, user: profileOf(ana, { coverPhoto: '/api/users/ana/images/3' }), projects: [project('Tide', ana), project('Low', ana, { peaksUrl })] };
    openPage('/home');
    await heading('Ana');
    expect(screen.getByText('Low, 2.1')).toBeInTheDocument();
    await waitFor(() => expect(asked().filter((line) => line.includes(peaksUrl))).not.toEqual([]));
    expect([...document.querySelectorAll('img')].map((picture) => picture.getAttribute('src'))).not.toContain('/api/users/ana/images/3');
  });

  test('keeps someone unfollowed in the list, to be followed again', async () => {
    data = { ...data, user: profileOf(ana), connections: [connected(cleo, true)] };
    server.answer({ 'DELETE /api/users/ana/connections/cleo': () => ({ json: { updatedUser: { ...ana, connections: {}, position: 11 } } }) });
    openPage('/home');
    await heading('Ana');
    await userEvent.click(within(row('Cleo')).getByRole('button', { name: 'Following Cleo' }));
    expect(await within(row('Cleo')).findByRole('button', { name: 'Follow Cleo' })).toBeInTheDocument();
  });

  test('of the guest says that guests have none', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: { ...ana, isGuest: true }, staffRole: null } }) });
    openPage('/home');
    await heading('Home');
    expect(screen.getByText("Guests aren't allowed to edit data.")).toBeInTheDocument();
    expect(asked().filter((line) => line.includes('fetchProfile'))).toEqual([]);
  });

  test('an unknown path of one segment leads on to the projects', async () => {
    const page = openPage('/somewhere');
    await waitFor(() => expect(page.address()).toBe('/projects'));
  });
});
