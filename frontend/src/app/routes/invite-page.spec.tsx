import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { controlsOf } from '../../testing/controls-of';
import { openPage } from '../../testing/open-page';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const problem = (status: number, code: string, detail: string) => () => ({ status, json: { code, status, detail } });
const nobody = problem(401, 'auth.required', 'Please sign in.');
const sessionOf = (name: string, changes = {}) => ({ json: { user: selfCalled(name, changes), staffRole: null } });
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': nobody,
    'GET /api/projects/:uid': () => ({ json: { projects: [] } }),
  });
});
afterEach(async () => {
  await server.close();
});

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const sent = async (path: string) => (await server.settledRequests()).filter((one) => one.path === path).map(({ body }) => body);

describe('the page behind an invite link', () => {
  const TOKEN = '/api/auth/invite/t0ken';

  test('signs in and goes on', async () => {
    server.answer({ [`POST ${TOKEN}`]: () => sessionOf('New', { profileCompletion: 1 }) });
    openPage('/invite/t0ken');
    expect(await heading('All Projects')).toBeInTheDocument();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(await sent(TOKEN)).toEqual([{ timeZone }]);
  });

  test('a guest goes on too', async () => {
    server.answer({ 'GET /api/auth/session': () => sessionOf('Guest', { isGuest: true }), [`POST ${TOKEN}`]: () => sessionOf('New') });
    openPage('/invite/t0ken');
    expect(await heading('All Projects')).toBeInTheDocument();
  });

  test('asks before it signs out an account in use', async () => {
    server.answer({ 'GET /api/auth/session': () => sessionOf('Ana'), [`POST ${TOKEN}`]: () => sessionOf('New') });
    openPage('/invite/t0ken');
    expect(await screen.findByText('You are signed in as Ana. This invite signs you out and opens another account.')).toBeInTheDocument();
    expect(await sent(TOKEN)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('button', { name: 'Account menu of New' })).toBeInTheDocument();
  });

  test('a spent link explains itself, and offers Contact', async () => {
    server.answer({ [`POST ${TOKEN}`]: problem(410, 'invite.spent', 'This link was used or is too old.') });
    openPage('/invite/t0ken');
    expect(await screen.findByRole('alert')).toHaveTextContent('This link was used or is too old.');
    expect(controlsOf(screen.getByRole('main'))).toEqual(['link: Contact', 'link: Log In']);
    expect(await sent(TOKEN)).toHaveLength(1);
  });

  test('a spent link leads users who are signed in to their projects, or out', async () => {
    server.answer({
      'GET /api/auth/session': () => sessionOf('Guest', { isGuest: true }),
      'POST /api/auth/logout': () => ({ status: 204 }),
      [`POST ${TOKEN}`]: problem(410, 'invite.spent', 'This link was used or is too old.'),
    });
    openPage('/invite/t0ken');
    expect(await screen.findByText('You are signed in as Guest. Sign out to ask for another link.')).toBeInTheDocument();
    expect(controlsOf(screen.getByRole('main'))).toEqual(['link: Projects', 'button: Sign Out']);
    await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(await screen.findByRole('link', { name: 'Log In' })).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('This link was used or is too old.');
  });

  test('a server that cannot be reached is asked again on request', async () => {
    server.answer({ [`POST ${TOKEN}`]: problem(503, 'store.away', 'Roughmix cannot reach its data right now. Please try again soon.') });
    openPage('/invite/t0ken');
    const retry = await screen.findByRole('button', { name: 'Retry' });
    server.answer({ [`POST ${TOKEN}`]: () => sessionOf('New') });
    await userEvent.click(retry);
    expect(await heading('All Projects')).toBeInTheDocument();
  });
});
