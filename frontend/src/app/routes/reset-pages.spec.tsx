import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
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
  });
});
afterEach(async () => {
  await server.close();
});

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const sent = async (path: string) => (await server.settledRequests()).filter((one) => one.path === path).map(({ body }) => body);

describe('the reset page', () => {
  const send = async (text: string) => {
    openPage('/passwordReset');
    await fill(await screen.findByLabelText('Email'), text);
    await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
  };

  test('has one email field and a submit button, which is disabled while the field is empty', async () => {
    openPage('/passwordReset');
    await heading('Reset Password');
    expect(controlsOf(screen.getByRole('form', { name: 'Reset Password' }))).toEqual(['textbox: Email', 'button: Reset Password']);
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
    expect(document.title).toBe('Reset Password | Roughmix beta');
    const button = screen.getByRole('button', { name: 'Reset Password' });
    expect(button).toBeDisabled();
    await userEvent.type(screen.getByLabelText('Email'), ' ');
    expect(button).toBeDisabled();
    await userEvent.type(screen.getByLabelText('Email'), 'a');
    expect(button).toBeEnabled();
  });

  test('says that a link has been sent', async () => {
    server.answer({ 'POST /api/auth/passwordReset': () => ({ json: { message: 'A link has been sent to the email provided' } }) });
    await send('ana@band.example');
    expect(await screen.findByText('A link has been sent to the email provided')).toBeInTheDocument();
    expect(screen.getByRole('status')).toHaveTextContent('A link has been sent to the email provided');
    expect(await sent('/api/auth/passwordReset')).toEqual([{ email: 'ana@band.example' }]);
  });

  test.each(['nobody@band.example', 'not an address'])('says of %j that no user has it', async (text) => {
    server.answer({ 'POST /api/auth/passwordReset': problem(404, 'reset.no-user', 'No user found with that email address') });
    await send(text);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^No user found with that email address$/);
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('No user found with that email address');
    expect(screen.getByLabelText('Email')).toHaveFocus();
  });
});

describe('the page behind a reset link', () => {
  const TOKEN = '/api/auth/passwordReset/t0ken';
  const send = async (password: string, again = password) => {
    await fill(await screen.findByLabelText('New Password'), password);
    await fill(screen.getByLabelText('Confirm Password'), again);
    await userEvent.click(screen.getByRole('button', { name: 'Set Password' }));
  };

  test('asks for the new password twice', async () => {
    openPage('/passwordReset/t0ken');
    await heading('New Password');
    const form = screen.getByRole('form', { name: 'Set Password' });
    expect(controlsOf(form)).toEqual(['password: New Password', 'password: Confirm Password', 'button: Set Password']);
    for (const field of form.querySelectorAll('input')) expect(field).toHaveAttribute('autocomplete', 'new-password');
    expect(document.querySelector('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  });

  test('a new password leads to the login', async () => {
    server.answer({ [`POST ${TOKEN}`]: () => ({ status: 204 }) });
    const page = openPage('/passwordReset/t0ken');
    await send('slow-ferry-19');
    await heading('Log In');
    expect(page.address()).toBe('/login');
    expect(await screen.findByText('Your password was changed.')).toBeInTheDocument();
    expect(await sent(TOKEN)).toEqual([{ newPassword: 'slow-ferry-19' }]);
  });

  test('the session that a reset ended is forgotten', async () => {
    server.answer({ 'GET /api/auth/session': () => sessionOf('Ana'), [`POST ${TOKEN}`]: () => ({ status: 204 }) });
    openPage('/passwordReset/t0ken');
    await heading('New Password');
    server.answer({ 'GET /api/auth/session': nobody });
    await send('slow-ferry-19');
    expect(await heading('Log In')).toBeInTheDocument();
  });

  test('passwords that differ are not sent', async () => {
    openPage('/passwordReset/t0ken');
    await send('slow-ferry-19', 'slow-ferry-91');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Passwords do not match\.$/);
    expect(screen.getByLabelText('Confirm Password')).toBeInvalid();
    expect(screen.getByLabelText('Confirm Password')).toHaveFocus();
    expect(await sent(TOKEN)).toEqual([]);
  });

  test('a refused password can be corrected', async () => {
    server.answer({ [`POST ${TOKEN}`]: problem(400, 'password.too-common', 'This password is too common') });
    openPage('/passwordReset/t0ken');
    await send('password1');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This password is too common$/);
    expect(screen.getByLabelText('New Password')).toHaveFocus();
    server.answer({ [`POST ${TOKEN}`]: () => ({ status: 204 }) });
    await send('-but-longer');
    expect(await heading('Log In')).toBeInTheDocument();
  });

  test('a spent link says so, and leads to a new one', async () => {
    server.answer({ [`POST ${TOKEN}`]: problem(410, 'reset.spent', 'This link was used or is too old.') });
    const page = openPage('/passwordReset/t0ken');
    await send('slow-ferry-19');
    expect(await screen.findByRole('alert')).toHaveTextContent('This link was used or is too old.');
    expect(controlsOf(screen.getByRole('main'))).toEqual(['link: Request a new link']);
    await userEvent.click(screen.getByRole('link', { name: 'Request a new link' }));
    await heading('Reset Password');
    expect(page.address()).toBe('/passwordReset');
  });
});
