import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../testing/fill';
import { startStubServer, type StubServer } from '../testing/stub-server';
import { openPage } from '../testing/open-page';
import { selfCalled } from '../testing/people-and-projects';

const nobody = { status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } };
const ana = { json: { user: selfCalled('Ana'), staffRole: null } };
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'GET /api/auth/session': () => nobody, 'GET /api/projects/:uid': () => ({ json: { projects: [] } }) });
});
afterEach(() => server.close());

async function logIn(password: string) {
  await fill(await screen.findByLabelText('Email'), 'ana@band.example');
  await fill(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }));
}

test("a wrong password shows the product's message and keeps the typed text", async () => {
  server.answer({ 'POST /api/auth/login': () => ({ status: 401, json: { code: 'auth.failed', status: 401, detail: 'User or Password not found..' } }) });
  openPage('/login');
  await logIn('not-this-one');

  expect(await screen.findByRole('alert')).toHaveTextContent('User or Password not found..');
  expect(screen.getByLabelText('Email')).toHaveValue('ana@band.example');
  expect(screen.getByLabelText('Password')).toHaveValue('not-this-one');
  expect(document.title).toBe('Log In | Roughmix beta');
});

test.each([
  ['email', '', 'right-one', 'Email'],
  ['password', 'ana@band.example', '', 'Password'],
])('without its %s nothing is sent', async (_what, email, password, missing) => {
  openPage('/login');
  if (email !== '') await fill(await screen.findByLabelText('Email'), email);
  if (password !== '') await fill(await screen.findByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }));
  expect(screen.getByLabelText(missing)).toBeInvalid();
  expect((await server.settledRequests()).map(({ path }) => path)).not.toContain('/api/auth/login');
});

test('the foot names the company and its year', async () => {
  openPage('/login');
  expect(within(await screen.findByRole('contentinfo')).getByText('Roughmix, 2022')).toBeInTheDocument();
});

test('after a redirect to the login the user returns to the page they asked for', async () => {
  server.answer({ 'POST /api/auth/login': () => ana });
  const page = openPage('/projects?view=shared');
  await logIn('right-one');

  expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
  expect(page.address()).toBe('/projects?view=shared');
  await waitFor(() => expect(document.title).toBe('Roughmix Studio beta'));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(server.requests.find(({ path }) => path === '/api/auth/login')?.body).toEqual({ email: 'ana@band.example', password: 'right-one', timeZone });
});

describe('a visit', () => {
  const visits = async () => (await server.settledRequests()).filter(({ path }) => path === '/api/auth/visit').map(({ body }) => body);

  test('an unknown path shows the login', async () => {
    server.answer({ 'POST /api/auth/visit': () => ({ json: { access: 'login' } }) });
    const page = openPage('/nowhere/at/all?x=1');
    expect(await screen.findByRole('heading', { name: 'Log In' })).toBeInTheDocument();
    expect(page.address()).toBe('/login');
    expect(page.router.state.location.state).toBeNull();
    expect(await visits()).toEqual([{ href: '/nowhere/at/all?x=1' }]);
  });

  test('to an unknown path leads a signed-in user to the projects', async () => {
    server.answer({ 'GET /api/auth/session': () => ana, 'POST /api/auth/visit': () => ({ json: { access: 'denied' } }) });
    const page = openPage('/nowhere/at/all');
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
    expect(page.address()).toBe('/projects');
    expect(await visits()).toEqual([{ href: '/nowhere/at/all' }]);
  });

  test.each([
    ['that the server refuses', () => ({ json: { access: 'login' } })],
    ['about which the server says nothing', () => ({ status: 500 })],
  ])('%s leads to the login, which remembers the page', async (_what, answer) => {
    server.answer({ 'POST /api/auth/visit': answer });
    const page = openPage('/projects/song?t=5');
    expect(await screen.findByRole('heading', { name: 'Log In' })).toBeInTheDocument();
    expect(page.router.state.location.state).toEqual({ from: '/projects/song?t=5' });
    expect(await visits()).toEqual([{ href: '/projects/song?t=5' }]);
  });

  test('that the server authorizes opens: the user signed in elsewhere meanwhile', async () => {
    server.answer({
      'POST /api/auth/visit': () => {
        server.answer({ 'GET /api/auth/session': () => ana });
        return { json: { access: 'authorized' } };
      },
    });
    const page = openPage('/projects');
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
    expect(page.address()).toBe('/projects');
  });
});

test('a user who is already signed in continues to the projects', async () => {
  server.answer({ 'GET /api/auth/session': () => ana });
  const page = openPage('/login');
  expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
  expect(page.address()).toBe('/projects');
});

test('a guest may look around, and reads that guests change nothing', async () => {
  server.answer({ 'POST /api/auth/guest': () => ({ json: { user: selfCalled('Guest', { isGuest: true }), staffRole: null } }) });
  openPage('/login');
  await userEvent.click(await screen.findByRole('button', { name: 'Look around as a guest' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Add Project' }));

  expect(await screen.findByText("Guests aren't allowed to edit data.")).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('signing out says so on the socket before the session ends, leads to the login and forgets the page', async () => {
  const saidLogout: number[] = [];
  const signOut = () => {
    saidLogout.push(page.logouts());
    return { status: 204 };
  };
  server.answer({ 'GET /api/auth/session': () => ana, 'POST /api/auth/logout': signOut });
  const page = openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu of Ana' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));

  expect(await screen.findByRole('heading', { name: 'Log In' })).toBeInTheDocument();
  expect(page.router.state.location.state).toEqual({});
  expect(saidLogout).toEqual([1]);
  expect(
    page.cache
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual([['session']]);
});

test('an ended session asks for the password above the page, which stays and reconnects', async () => {
  server.answer({ 'GET /api/auth/session': () => ana, 'POST /api/auth/login': () => ana });
  const page = openPage('/projects');
  await screen.findByText('Nothing here yet');
  server.answer({ 'GET /api/projects/:uid': () => nobody });
  await page.cache.invalidateQueries({ queryKey: ['projects'] });

  expect(await screen.findByRole('dialog', { name: 'Log In' })).toHaveTextContent('Your session has ended. Log in again to continue');
  expect(screen.getByLabelText('Email')).toHaveValue(selfCalled('Ana').email);
  await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
  expect(screen.queryByRole('button', { name: 'Look around as a guest' })).not.toBeInTheDocument();
  server.answer({ 'GET /api/projects/:uid': () => ({ json: { projects: [] } }) });
  const connections = page.connections();
  await userEvent.type(screen.getByLabelText('Password'), 'right-one');
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
  await waitFor(() => expect(page.connections()).toBe(connections + 1));
});

test('a guest whose session ended looks around again from where they were', async () => {
  const guest = { json: { user: selfCalled('Guest', { isGuest: true }), staffRole: null } };
  server.answer({ 'GET /api/auth/session': () => guest, 'POST /api/auth/guest': () => guest });
  const page = openPage('/projects');
  await screen.findByText('No public projects (yet).');
  server.answer({ 'GET /api/projects/:uid': () => nobody });
  await page.cache.invalidateQueries({ queryKey: ['projects'] });

  expect(await screen.findByRole('dialog', { name: 'Log In' })).toHaveTextContent('Your session has ended. Continue as a guest, or log in.');
  expect(screen.getByLabelText('Email')).toHaveValue('');
  server.answer({ 'GET /api/projects/:uid': () => ({ json: { projects: [] } }) });
  await userEvent.click(screen.getByRole('button', { name: 'Look around as a guest' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
});

test('an unreachable server is reported, with a Retry button', async () => {
  server.answer({ 'GET /api/auth/session': () => 'hang up' });
  openPage('/projects');
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByRole('alert')).toHaveTextContent('Roughmix cannot be reached');
  server.answer({ 'GET /api/auth/session': () => ana });
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
});
