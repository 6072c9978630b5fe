import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { controlsOf } from '../../testing/controls-of';
import { type AccountServer, newcomer, pictureFile, startAccountServer, withPhoto } from '../../testing/account-server';
import { openPage } from '../../testing/open-page';
import { selfCalled } from '../../testing/people-and-projects';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';

let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(newcomer());
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

const field = (label: string) => screen.getByLabelText(label, { selector: 'input' });
const refuseForm = (status: number, code: string, detail: string) =>
  server.answer({ 'PUT /api/users/maren': () => ({ status, json: { type: 'about:blank', title: '', status, code, detail } }) });

async function fillIn(texts: Readonly<Record<string, string>> = {}) {
  await screen.findByRole('heading', { name: 'Put a face to the notes' });
  const all = { 'First Name*': 'Maren', 'Last Name*': 'Holt', 'New Password*': 'lowtide77', 'Confirm Password*': 'lowtide77', ...texts };
  for (const [label, text] of Object.entries(all)) {
    await fill(field(label), text);
  }
}
const choosePicture = (file = pictureFile()) => userEvent.upload(field('Profile picture*'), file, { applyAccept: false });
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Get Started' }));

describe('the form', () => {
  test('has a name, a label for each field, the legal links and a way out', async () => {
    openPage('/welcome');
    expect(await screen.findByRole('form', { name: 'Your profile' })).toBeInTheDocument();
    expect(document.title).toBe('Welcome | Roughmix beta');
    for (const label of ['First Name*', 'Last Name*', 'New Password*', 'Confirm Password*']) expect(field(label)).toBeRequired();
    expect(field('Username')).not.toBeRequired();
    expect(within(screen.getByRole('banner')).getByRole('button', { name: 'Sign Out' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Put a face to the notes' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms');
    expect(screen.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
  });

  test("the username's placeholder is the first plus the last name, and the public page follows", async () => {
    openPage('/welcome');
    await screen.findByRole('form', { name: 'Your profile' });
    await fill(field('First Name*'), 'Maren');
    await fill(field('Last Name*'), 'Holt');
    expect(field('Username')).toHaveAttribute('placeholder', 'Maren Holt');
    expect(field('Username')).toHaveAccessibleDescription('Your public page: /@maren-holt');
    await userEvent.type(field('Username'), 'Tide Line');
    expect(field('Username')).toHaveAccessibleDescription('Your public page: /@tide-line');
  });

  test('sends the picture, then the profile, shows that it is complete, and leads to the projects', async () => {
    const page = openPage('/welcome');
    await fillIn({ Username: ' Tide Line ' });
    await choosePicture();
    await submit();
    expect(await screen.findByRole('heading', { name: 'Welcome, Maren' })).toHaveFocus();

    expect(server.commands()).toEqual(['POST /api/storage/uploads', 'PUT /api/storage/put', 'PUT /api/users/maren/photo', 'PUT /api/users/maren']);
    expect(server.bodyOf('POST /api/storage/uploads')).toEqual({ purpose: 'profile-photo', filename: 'me.png', contentType: 'image/png', size: 2_000 });
    expect(server.bodyOf('PUT /api/users/maren/photo')).toEqual({ uploadId: 'u1' });
    expect(server.bodyOf('PUT /api/users/maren')).toEqual({ firstName: 'Maren', lastName: 'Holt', username: 'Tide Line', newPassword: 'lowtide77' });
    await userEvent.click(screen.getByRole('link', { name: 'Go to Projects' }));
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
    expect(page.address()).toBe('/projects');
    expect(screen.getByRole('button', { name: 'Account menu of Maren Holt' })).toBeInTheDocument();
  });

  test('leads to the projects by itself 5 s after the profile is complete', async () => {
    const page = openPage('/welcome');
    await fillIn();
    await choosePicture();
    stopClock();
    fireEvent.submit(screen.getByRole('form', { name: 'Your profile' }));
    await meanwhile(() => expect(screen.getByRole('heading', { name: 'Welcome, Maren' })).toBeInTheDocument());
    pass(4_999);
    expect(page.address()).toBe('/welcome');
    pass(1);
    await meanwhile(() => expect(page.address()).toBe('/projects'));
    expect(screen.getByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
  });

  test("without a username none is sent, and the button reads 'One sec' meanwhile", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    server.answer({
      'PUT /api/users/maren': async () => {
        await finished;
        return { json: { updatedUser: selfCalled('Maren') } };
      },
    });
    openPage('/welcome');
    await fillIn();
    await choosePicture();
    await submit();
    const button = await screen.findByRole('button', { name: 'One sec' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    await userEvent.click(button);
    await waitFor(() => expect(server.commands()).toContain('PUT /api/users/maren'));
    finish();
    await screen.findByRole('heading', { name: 'Welcome, Maren' });
    expect(server.bodyOf('PUT /api/users/maren')).toEqual({ firstName: 'Maren', lastName: 'Holt', newPassword: 'lowtide77' });
    expect(server.commands().filter((line) => line === 'PUT /api/users/maren')).toHaveLength(1);
  });
});

test('the keyboard reaches these controls, in this order, and a chosen picture adds its zoom', async () => {
  openPage('/welcome');
  const form = await screen.findByRole('form', { name: 'Your profile' });
  const fields = [
    'textbox: First Name*',
    'textbox: Last Name*',
    'textbox: Username',
    'password: New Password*',
    'password: Confirm Password*',
    'button: Get Started',
    'link: Terms of Service',
    'link: Privacy Policy',
  ];
  expect(controlsOf(form)).toEqual(['button: Choose a picture', ...fields]);
  await choosePicture();
  const picture = within(screen.getByRole('group', { name: 'Profile picture*' }));
  expect(picture.getByRole('button', { name: 'Other picture' })).toHaveAccessibleDescription('PNG, JPEG or GIF, cropped square, stored at 170 by 170.');
  expect(picture.getByRole('slider', { name: 'Zoom' })).toHaveAttribute('aria-valuetext', '100 %');
  expect(controlsOf(form)).toEqual(['button: Other picture', 'slider: Zoom', ...fields]);
});

describe('a form that breaks a rule', () => {
  test.each([
    ['First Name*', { 'First Name*': 'Maren Ida' }, 'Invalid Characters in first/last name'],
    ['Confirm Password*', { 'Confirm Password*': 'x' }, 'Passwords do not match.'],
    ['New Password*', { 'New Password*': ' x', 'Confirm Password*': ' x' }, 'Invalid Characters in password'],
  ])('names it, marks %s and sends nothing', async (label, texts, message) => {
    openPage('/welcome');
    await fillIn(texts);
    await choosePicture();
    await submit();
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(field(label)).toBeInvalid();
    expect(field(label)).toHaveFocus();
    expect(field(label)).toHaveAccessibleDescription(message);
    await server.settledRequests();
    expect(server.commands()).toEqual([]);
  });

  test('asks for the picture', async () => {
    openPage('/welcome');
    await fillIn();
    await submit();
    expect(await screen.findByRole('alert')).toHaveTextContent('Profile Picture required.');
    const button = screen.getByRole('button', { name: 'Choose a picture' });
    expect(button).toHaveFocus();
    expect(button).toHaveAccessibleDescription('PNG, JPEG or GIF, cropped square, stored at 170 by 170. Profile Picture required.');
    await choosePicture();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test.each([
    ['image/webp', 2_000, 'Needs to be a png, jpeg or gif image'],
    ['image/png', 10_000_001, 'Images can be at most 10 MB'],
  ])('refuses a picture of type %s with %d bytes', async (type, size, message) => {
    openPage('/welcome');
    await screen.findByRole('form', { name: 'Your profile' });
    await choosePicture(pictureFile(type, size));
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });
});

describe('a refusal by the server', () => {
  test.each([
    [400, 'password.too-common', 'This password is too common', 'New Password*'],
    [400, 'password.unchanged', 'Choose a new password.', 'New Password*'],
    [409, 'user.username-taken', 'This username is taken.', 'Username'],
  ])('%d %s is shown at its field, and what was typed stays', async (status, code, detail, label) => {
    refuseForm(status, code, detail);
    openPage('/welcome');
    await fillIn({ Username: 'Maren' });
    await choosePicture();
    await submit();
    expect(await screen.findByRole('alert')).toHaveTextContent(detail);
    expect(field(label)).toBeInvalid();
    expect(field('New Password*')).toHaveValue('lowtide77');
    // The picture is saved by then, so there is no older one.
    expect(screen.queryByRole('button', { name: 'Keep the old one' })).not.toBeInTheDocument();
    await submit();
    await waitFor(() => expect(server.commands().filter((line) => line === 'PUT /api/users/maren')).toHaveLength(2));
    expect(server.commands().filter((line) => line === 'PUT /api/users/maren/photo')).toHaveLength(1);
  });

  test('of a profile that was completed in another tab leads on', async () => {
    openPage('/welcome');
    await fillIn();
    await choosePicture();
    refuseForm(409, 'profile.completed', 'This profile is already complete.');
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: selfCalled('Maren'), staffRole: null } }) });
    await submit();
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
  });
});

describe('who sees it', () => {
  test.each(['/projects', '/projects/p1', '/'])('a new user who opens %s', async (address) => {
    const page = openPage(address);
    expect(await screen.findByRole('heading', { name: 'Put a face to the notes' })).toBeInTheDocument();
    expect(page.address()).toBe('/welcome');
    expect(page.connections()).toBe(0);
  });

  test('not a user whose profile is complete', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: selfCalled('Maren'), staffRole: null } }) });
    const page = openPage('/welcome');
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
    expect(page.address()).toBe('/projects');
  });

  test('not a visitor', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } }) });
    const page = openPage('/welcome');
    await waitFor(() => expect(page.address()).toBe('/login'));
  });

  test('another value shows the completion screen', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: newcomer({ profileCompletion: -1 }), staffRole: null } }) });
    const page = openPage('/projects');
    expect(await screen.findByRole('heading', { name: 'Almost there' })).toBeInTheDocument();
    expect(page.address()).toBe('/welcome');
  });

  test('a picture that was saved before is shown and need not be chosen again', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: withPhoto(newcomer()), staffRole: null } }) });
    openPage('/welcome');
    await fillIn();
    expect(screen.getByRole('button', { name: 'Other picture' })).toBeInTheDocument();
    await submit();
    expect(await screen.findByRole('heading', { name: 'Welcome, Maren' })).toBeInTheDocument();
    expect(server.commands()).toEqual(['PUT /api/users/maren']);
  });
});

test('300000 ms without activity end the session', async () => {
  server.answer({ 'POST /api/auth/logout': () => ({ status: 204 }) });
  stopClock();
  const page = openPage('/welcome');
  await meanwhile(() => expect(screen.getByRole('form', { name: 'Your profile' })).toBeInTheDocument());
  pass(299_999);
  expect(server.commands()).toEqual([]);
  expect(page.address()).toBe('/welcome');
  pass(1);
  await meanwhile(() => expect(page.address()).toBe('/login'));
  expect(server.commands()).toEqual(['POST /api/auth/logout']);
});

test('Sign Out leads to the login', async () => {
  server.answer({ 'POST /api/auth/logout': () => ({ status: 204 }) });
  const page = openPage('/welcome');
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(page.address()).toBe('/login'));
});
