import type { ContactMessageView, InviteRequestView } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { controlsOf } from '../../testing/controls-of';
import { openPage } from '../../testing/open-page';
import { selfCalled } from '../../testing/people-and-projects';
import { pass, stopClock } from '../../testing/stopped-clock';
import { type Answer, startStubServer, type StubServer } from '../../testing/stub-server';

const problem = (status: number, code: string, detail: string) => (): Answer => ({ status, json: { code, status, detail } });
const unauthorized = problem(401, 'admin.unauthorized', 'Unauthorized');
const requestOf = (email: string, changes: Partial<InviteRequestView> = {}): InviteRequestView => ({
  _id: email.split('@')[0] ?? '',
  email,
  dateAdded: Date.now(),
  state: 'open',
  position: 1,
  ...changes,
});
/** The exit of a dialog, which lasts as long as the dialog is rendered. */
const RUNNING = { playState: 'running', finished: new Promise(() => undefined) };
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'GET /api/auth/session': problem(401, 'auth.required', 'Please sign in.') });
});
afterEach(async () => {
  jest.useRealTimers();
  Reflect.deleteProperty(Element.prototype, 'getAnimations');
  await server.close();
});

const sent = async (path: string) => (await server.settledRequests()).filter((one) => one.path === path).map(({ body }) => body);
const part = (role: 'form' | 'region', name: string) => within(screen.getByRole(role, { name }));

async function openWithKey(key = 'secret key') {
  openPage('/rwmsl9j7-register');
  const field = await screen.findByLabelText('Secret key');
  if (key !== '') await fill(field, key);
}

async function register() {
  const form = part('form', 'Register User');
  await fill(form.getByLabelText('Email'), 'new.person@band.example');
  await fill(form.getByLabelText('Temporary password'), 'slow-ferry-19');
  await userEvent.click(form.getByRole('button', { name: 'Register User' }));
  return form;
}

test('the page has these controls, in this order, and stays out of search engines', async () => {
  await openWithKey('');
  expect(controlsOf(screen.getByRole('main'))).toEqual([
    'password: Secret key',
    'textbox: Email',
    'textbox: Temporary password',
    'button: Register User',
    'textbox: User id or email',
    'button: Remove User',
    'button: Show invite requests',
  ]);
  expect(document.querySelector('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(document.title).toBe('Register User | Roughmix beta');
});

test('without a key nothing is sent, and its field says so', async () => {
  await openWithKey('');
  await register();
  expect(screen.getByRole('alert')).toHaveTextContent('Enter the secret key first.');
  await waitFor(() => expect(screen.getByLabelText('Secret key')).toHaveFocus());
  expect((await server.settledRequests()).map(({ path }) => path).filter((path) => path.startsWith('/api/'))).toEqual(['/api/auth/session']);
});

describe('adding a user', () => {
  const PATH = '/api/admin/secret%20key/users/addUser';

  test("sends the address and a temporary password, never names, and reads 'Account Created.'", async () => {
    server.answer({ [`POST ${PATH}`]: () => ({ status: 201, json: { message: 'Account Created.', user: selfCalled('New') } }) });
    await openWithKey();
    const form = await register();
    expect(await form.findByText('Account Created.')).toBeInTheDocument();
    expect(await sent(PATH)).toEqual([{ email: 'new.person@band.example', password: 'slow-ferry-19' }]);
    expect([form.getByLabelText('Email'), form.getByLabelText('Temporary password')].map((field) => (field as HTMLInputElement).value)).toEqual(['', '']);
    expect(screen.getByLabelText('Secret key')).toHaveValue('secret key');
  });

  test("a wrong key is 'Unauthorized', and clears the fields", async () => {
    server.answer({ [`POST ${PATH}`]: unauthorized });
    await openWithKey();
    await userEvent.type(screen.getByLabelText('User id or email'), 'bob');
    await register();
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Unauthorized$/);
    for (const label of ['Secret key', 'Email', 'Temporary password', 'User id or email']) expect(screen.getByLabelText(label)).toHaveValue('');
    await waitFor(() => expect(screen.getByLabelText('Secret key')).toHaveFocus());
  });

  test.each([
    ['user.email-taken', 'The email address is already in use by another account.', 'Email'],
    ['password.too-short', 'Passwords need at least 8 characters', 'Temporary password'],
  ])('%s shows the server’s message at its field', async (code, text, label) => {
    server.answer({ [`POST ${PATH}`]: problem(400, code, text) });
    await openWithKey();
    const form = await register();
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(form.getByLabelText(label)).toBeInvalid();
    expect(form.getByLabelText(label)).toHaveFocus();
    expect(form.getByLabelText('Email')).toHaveValue('new.person@band.example');
  });

  test('any other failure is shown too', async () => {
    server.answer({ [`POST ${PATH}`]: problem(429, 'throttled', 'Too many attempts. Please wait a while.') });
    await openWithKey();
    await register();
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Please wait a while.');
  });
});

describe('the link that the program prints while it has no account', () => {
  const PATH = '/api/auth/firstAccount';
  const open = async () => {
    openPage('/rwmsl9j7-register#first=the-token');
    const form = within(await screen.findByRole('form', { name: 'Create Account' }));
    await fill(form.getByLabelText('Email'), ' you@band.example ');
    await fill(form.getByLabelText('Temporary password'), 'slow-ferry-19');
    return form;
  };

  test('asks for an address and a temporary password, without the secret key', async () => {
    await open();
    expect(controlsOf(screen.getByRole('main'))).toEqual(['textbox: Email', 'textbox: Temporary password', 'button: Create Account']);
    expect(document.title).toBe('First Account | Roughmix beta');
  });

  test('makes the first account, signs it in and leads to the welcome page', async () => {
    const you = selfCalled('You', { uid: 'you', profileCompletion: 0, smallPhoto: USER_PATHS.photo('you') });
    server.answer({ [`POST ${PATH}`]: () => ({ status: 201, json: { user: you, staffRole: 'admin' } }) });
    const form = await open();
    await userEvent.click(form.getByRole('button', { name: 'Create Account' }));
    expect(await screen.findByRole('heading', { name: 'Put a face to the notes' })).toBeInTheDocument();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(await sent(PATH)).toEqual([{ token: 'the-token', email: 'you@band.example', password: 'slow-ferry-19', timeZone }]);
  });

  test('says where a password is wrong, and goes on', async () => {
    server.answer({ [`POST ${PATH}`]: problem(400, 'password.too-short', 'Passwords need at least 8 characters') });
    const form = await open();
    await userEvent.click(form.getByRole('button', { name: 'Create Account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Passwords need at least 8 characters');
    expect(form.getByLabelText('Temporary password')).toBeInvalid();
  });

  test('says so once it is spent, and how to get another', async () => {
    server.answer({ [`POST ${PATH}`]: problem(410, 'invite.spent', 'This link was used or is too old.') });
    const form = await open();
    await userEvent.click(form.getByRole('button', { name: 'Create Account' }));
    expect(await screen.findByText('This link was used or is too old.')).toBeInTheDocument();
    expect(screen.getByText(/^It works until there is an account\./)).toBeInTheDocument();
    expect(controlsOf(screen.getByRole('main'))).toEqual(['link: Log In']);
  });
});

describe('removing a user', () => {
  const REMOVE = '/api/admin/secret%20key/users/removeUser';
  const INFO = '/api/admin/secret%20key/users/getUserInfo';
  const bob = { ...selfCalled('Bob'), dateAdded: Date.UTC(2026, 0, 5, 12) };
  const lookUp = async (who: string) => {
    await openWithKey();
    const form = part('form', 'Remove User');
    await fill(form.getByLabelText('User id or email'), who);
    await userEvent.click(form.getByRole('button', { name: 'Remove User' }));
    return form;
  };
  const removed = { message: 'Delete Confirmed', erased: 'bob', removedProjects: [], keptProjects: [], inquiries: 0 };

  test("shows who it is and what is kept, then reads 'Delete Confirmed'", async () => {
    server.answer({ [`POST ${INFO}`]: () => ({ json: { user: bob } }), [`POST ${REMOVE}`]: () => ({ json: removed }) });
    const form = await lookUp('bob@band.example');
    const question = await screen.findByRole('alertdialog', { name: 'Remove Bob?' });
    expect(question).toHaveTextContent('Bob, bob@band.example, here since 5 Jan 2026.');
    expect(question).toHaveTextContent('Projects with other members stay, without this person. What they wrote there stays under [removed user].');
    expect(await sent(REMOVE)).toEqual([]);
    await userEvent.click(within(question).getByRole('button', { name: 'Remove User' }));
    expect(await form.findByText('Delete Confirmed')).toBeInTheDocument();
    expect([await sent(INFO), await sent(REMOVE)]).toEqual([[{ uid: 'bob@band.example' }], [{ uid: 'bob' }]]);
    expect(form.getByLabelText('User id or email')).toHaveValue('');
  });

  test('its question keeps what it says until it has left', async () => {
    server.answer({ [`POST ${INFO}`]: () => ({ json: { user: bob } }) });
    await lookUp('bob');
    const question = await screen.findByRole('alertdialog', { name: 'Remove Bob?' });
    const said = question.textContent;
    Object.defineProperty(Element.prototype, 'getAnimations', { configurable: true, value: () => [RUNNING] });
    stopClock();
    fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    pass(250);
    expect(question).toBeInTheDocument();
    expect(question.textContent).toBe(said);
    pass(50);
    expect(question).not.toBeInTheDocument();
  });

  test('is cancelled by Escape', async () => {
    server.answer({ [`POST ${INFO}`]: () => ({ json: { user: bob } }) });
    await lookUp('bob');
    await screen.findByRole('alertdialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(await sent(REMOVE)).toEqual([]);
  });

  test('an address without an account loses what it sent', async () => {
    server.answer({ [`POST ${INFO}`]: problem(404, 'user.not-found', 'There is no such user.'), [`POST ${REMOVE}`]: () => ({ json: removed }) });
    const form = await lookUp('asked@band.example');
    const question = await screen.findByRole('alertdialog', { name: 'Delete what they sent?' });
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    expect(await form.findByText('Delete Confirmed')).toBeInTheDocument();
    expect(await sent(REMOVE)).toEqual([{ uid: 'asked@band.example' }]);
  });

  test("a failure reads 'Unable to remove user data'", async () => {
    server.answer({ [`POST ${INFO}`]: () => ({ json: { user: bob } }), [`POST ${REMOVE}`]: problem(404, 'user.not-removed', 'Unable to remove user data') });
    await lookUp('bob');
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove User' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Unable to remove user data$/);
    await waitFor(() => expect(screen.getByLabelText('User id or email')).toHaveFocus());
  });

  test('an id without an account is a failure, with the reason', async () => {
    server.answer({ [`POST ${INFO}`]: problem(404, 'user.not-found', 'There is no such user.') });
    await lookUp('nobody');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Unable to remove user data\. There is no such user\.$/);
  });

  test("a wrong key is 'Unauthorized'", async () => {
    server.answer({ [`POST ${INFO}`]: unauthorized });
    await lookUp('bob');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Unauthorized$/);
    expect(screen.getByLabelText('User id or email')).toHaveValue('');
  });
});

describe('invite requests with the key', () => {
  const LIST = '/api/admin/secret%20key/inviteRequests';
  const listOf =
    (...inviteRequests: InviteRequestView[]) =>
    () => ({ json: { inviteRequests, next: null } });
  const open = async () => {
    await openWithKey();
    await userEvent.click(screen.getByRole('button', { name: 'Show invite requests' }));
  };

  test('are accepted, which creates an account', async () => {
    server.answer({
      [`GET ${LIST}`]: listOf(requestOf('new@band.example')),
      [`POST ${LIST}/new/accept`]: () => ({ status: 201, json: { message: 'Account Created.', user: selfCalled('New') } }),
    });
    await open();
    const accept = await screen.findByRole('button', { name: 'Accept: new@band.example' });
    expect(screen.getByRole('radio', { name: 'Open' })).toHaveFocus();
    server.answer({ [`GET ${LIST}`]: listOf() });
    await userEvent.click(accept);
    const list = part('region', 'Invite requests');
    expect(await list.findByText('Account Created.')).toBeInTheDocument();
    expect(await list.findByText('Nobody here.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('radio', { name: 'Open' })).toHaveFocus());
    expect(await sent(`${LIST}/new/accept`)).toEqual([{}]);
  });

  test('are declined', async () => {
    server.answer({ [`GET ${LIST}`]: listOf(requestOf('new@band.example')), [`POST ${LIST}/new/decline`]: () => ({ status: 204 }) });
    await open();
    const decline = await screen.findByRole('button', { name: 'Decline: new@band.example' });
    server.answer({ [`GET ${LIST}`]: listOf() });
    await userEvent.click(decline);
    expect(await screen.findByText('Nobody here.')).toBeInTheDocument();
  });

  test('that were accepted can be sent again, until the profile is complete', async () => {
    server.answer({
      [`GET ${LIST}`]: listOf(requestOf('new@band.example', { state: 'accepted' })),
      [`POST ${LIST}/new/accept`]: problem(409, 'profile.completed', 'This profile is already complete.'),
    });
    await open();
    await userEvent.click(await screen.findByRole('radio', { name: 'Accepted' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Send again: new@band.example' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This profile is already complete.');
    expect(server.requests.map(({ path }) => path)).toEqual(expect.arrayContaining([`${LIST}?state=open`, `${LIST}?state=accepted`]));
  });

  test('are closed again by a wrong key', async () => {
    server.answer({ [`GET ${LIST}`]: unauthorized });
    await open();
    expect(await screen.findByRole('button', { name: 'Show invite requests' })).toBeInTheDocument();
    expect(await screen.findByText('Unauthorized')).toBeInTheDocument();
    expect(screen.getByLabelText('Secret key')).toHaveValue('');
  });
});

describe('for a signed-in admin', () => {
  const message: ContactMessageView = {
    _id: 'm1',
    firstName: 'Ida',
    lastName: 'Lund',
    fullName: 'Ida Lund',
    company: 'Low Tide',
    phone: '',
    reply_to: 'ida@lowtide.example',
    subscribe: true,
    message_content: 'Do you have room?',
    dateAdded: Date.now(),
    position: 1,
  };
  beforeEach(() =>
    server.answer({
      'GET /api/auth/session': () => ({ json: { user: selfCalled('Kit'), staffRole: 'admin' } }),
      'GET /api/staff/inviteRequests': ({ path }) => ({
        json: path.includes('before=older')
          ? { inviteRequests: [requestOf('first@band.example')], next: null }
          : { inviteRequests: [requestOf('second@band.example')], next: 'older' },
      }),
      'GET /api/staff/contactMessages': () => ({ json: { contactMessages: [message], next: null } }),
    }),
  );

  test('invite requests and contact messages are listed, page by page', async () => {
    openPage('/rwmsl9j7-register');
    const article = await screen.findByRole('article', { name: 'Message of Ida Lund' });
    expect(article).toHaveTextContent('Ida Lundida@lowtide.exampleLow Tidewants newsmoments agoDo you have room?');
    const list = part('region', 'Invite requests');
    await userEvent.click(await list.findByRole('button', { name: 'Show older' }));
    await list.findByText('first@band.example');
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'second@band.exampleasked moments agoAcceptDecline',
      'first@band.exampleasked moments agoAcceptDecline',
    ]);
    expect(controlsOf(screen.getByRole('region', { name: 'Invite requests' }))).toEqual([
      'radio: Open',
      'radio: Accepted',
      'radio: Declined',
      'button: Accept: second@band.example',
      'button: Decline: second@band.example',
      'button: Accept: first@band.example',
      'button: Decline: first@band.example',
    ]);
    expect(controlsOf(screen.getByRole('region', { name: 'Contact messages' }))).toEqual(['link: ida@lowtide.example']);
  });

  test('declining needs no key, accepting does', async () => {
    server.answer({ 'POST /api/staff/inviteRequests/second/decline': () => ({ status: 204 }) });
    openPage('/rwmsl9j7-register');
    await userEvent.click(await screen.findByRole('button', { name: 'Accept: second@band.example' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Enter the secret key first.');
    await userEvent.click(screen.getByRole('button', { name: 'Decline: second@band.example' }));
    await waitFor(async () => expect(await sent('/api/staff/inviteRequests/second/decline')).toEqual([{}]));
  });
});
