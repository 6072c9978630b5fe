import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { controlsOf } from '../../testing/controls-of';
import { openPage } from '../../testing/open-page';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const SEALED = 'x'.repeat(60);
const DIGEST = `digest-${SEALED}`;
const UNKNOWN = 'This link is not valid.';
const problem = (status: number, code: string, detail: string) => () => ({ status, json: { code, status, detail } });
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'GET /api/auth/session': problem(401, 'auth.required', 'Please sign in.') });
});
afterEach(() => server.close());

const sent = async () => (await server.settledRequests()).filter(({ path }) => path.startsWith('/api/mail/')).map(({ method, path }) => `${method} ${path}`);
const signedIn = (changes = {}) => server.answer({ 'GET /api/auth/session': () => ({ json: { user: selfCalled('Ana', changes), staffRole: null } }) });
const succeeds = (token: string) => server.answer({ [`POST /api/mail/unsubscribe/${token}`]: () => ({ status: 204 }) });
const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe' }));

test.each([
  [DIGEST, /^The daily digest lists what is new, every day at 08:00. Turn it off\?$/, 'You will not get the daily digest any more.'],
  [
    `todoReminders-${SEALED}`,
    /^Reminder e-mails tell you when a todo is due. Turn them off\? You still see reminders in Roughmix.$/,
    'You will not get reminder e-mails any more.',
  ],
])('%s: says which e-mails it turns off, does so on request only, and says so', async (token, question, done) => {
  succeeds(token);
  openPage(`/unsubscribe/${token}`);
  expect(await screen.findByText(question)).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Unsubscribe$/);
  expect([document.title, document.querySelector('meta[name=robots]')?.getAttribute('content')]).toEqual(['Unsubscribe | Roughmix beta', 'noindex']);
  expect(controlsOf(screen.getByRole('main'))).toEqual(['button: Unsubscribe']);
  expect(await sent()).toEqual([]);
  const announced = screen.getByRole('status');
  await press();
  expect(await screen.findByText(done)).toBeInTheDocument();
  expect(announced).toHaveTextContent(done);
  expect(await sent()).toEqual([`POST /api/mail/unsubscribe/${token}`]);
  expect(controlsOf(screen.getByRole('main'))).toEqual(['link: Log In']);
  expect(screen.getByRole('link', { name: 'Log In' })).toHaveFocus();
});

test('leads to the settings after the login too', async () => {
  const { router } = openPage('/unsubscribe/x');
  await userEvent.click(await screen.findByRole('link', { name: 'Log In' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/home?settings=notifications' } });
});

test('leads users who are signed in to their settings', async () => {
  signedIn();
  succeeds(DIGEST);
  openPage(`/unsubscribe/${DIGEST}`);
  await press();
  expect(await screen.findByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/home?settings=notifications');
});

test('the guest, who has no settings, may use a link too', async () => {
  signedIn({ isGuest: true });
  succeeds(DIGEST);
  openPage(`/unsubscribe/${DIGEST}`);
  await press();
  expect(await screen.findByRole('link', { name: 'Log In' })).toBeInTheDocument();
});

test.each(['x', 'digest-', `invite-${SEALED}`])('%s is no link of ours, which it says at once', async (token) => {
  openPage(`/unsubscribe/${token}`);
  expect(await screen.findByRole('alert')).toHaveTextContent(UNKNOWN);
  expect(controlsOf(screen.getByRole('main'))).toEqual(['link: Log In']);
  expect(await sent()).toEqual([]);
});

test('a link that the server does not know says so', async () => {
  server.answer({ [`POST /api/mail/unsubscribe/${DIGEST}`]: problem(404, 'mail.unknown-token', UNKNOWN) });
  openPage(`/unsubscribe/${DIGEST}`);
  await press();
  expect(await screen.findByRole('alert')).toHaveTextContent(UNKNOWN);
  expect(screen.queryByRole('button', { name: 'Unsubscribe' })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Log In' })).toHaveFocus();
});

test('a failure is shown, and can be tried again', async () => {
  server.answer({ [`POST /api/mail/unsubscribe/${DIGEST}`]: problem(500, 'internal', 'Something failed on our side.') });
  openPage(`/unsubscribe/${DIGEST}`);
  await press();
  expect(await screen.findByRole('alert')).toHaveTextContent('Something failed on our side.');
  succeeds(DIGEST);
  await press();
  expect(await screen.findByText('You will not get the daily digest any more.')).toBeInTheDocument();
});
