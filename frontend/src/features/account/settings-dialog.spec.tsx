import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { controlsOf } from '../../testing/controls-of';
import { type AccountServer, deviceCalled, newcomer, pictureFile, startAccountServer, withPhoto } from '../../testing/account-server';
import {
  openSettingsOf,
  refusedBy as refused,
  saveSettings as save,
  settingsDialog as dialog,
  settingsField as field,
  settingsStatus as status,
} from '../../testing/settings-dialog';

const maren = newcomer({ firstName: 'Maren', lastName: 'Holt', username: 'Maren Holt', profileCompletion: 1 });
let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(maren);
});
afterEach(() => server.close());

async function retype(label: string, text: string) {
  await userEvent.clear(field(label));
  await fill(field(label), text);
}
async function typePasswords(current: string, next: string, confirmed = next) {
  await fill(field('Current Password'), current);
  await fill(field('New Password'), next);
  await fill(field('Confirm Password'), confirmed);
}

test('who may find the profile is saved with it', async () => {
  await openSettingsOf(maren);
  await userEvent.click(within(dialog()).getByRole('checkbox', { name: 'Keep my page out of search engines' }));
  await save();
  await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
  expect(server.bodyOf('PUT /api/users/maren')).toEqual({ settings: { profile: { noindex: true } } });
  expect(within(dialog()).getByRole('checkbox', { name: 'Keep my page out of search engines' })).toBeChecked();
});

test('the keyboard reaches these controls, in this order', async () => {
  server.answer({ 'GET /api/auth/sessions': () => ({ json: { sessions: [deviceCalled('s1', 'Chrome on Linux'), deviceCalled('s2', 'Safari on iOS')] } }) });
  await openSettingsOf(maren);
  await screen.findByText('Safari on iOS');
  expect(controlsOf(dialog())).toEqual([
    'button: Close',
    'button: Other picture',
    'textbox: First Name',
    'textbox: Last Name',
    'textbox: Username',
    'textbox: Location',
    'textbox: About',
    'textbox: Influences',
    'button: Choose a picture',
    'checkbox: Hide me from people search and lists of connections (people connected with me still find me)',
    'checkbox: Keep my page out of search engines',
    'password: Current Password',
    'password: New Password',
    'password: Confirm Password',
    'button: Sign out there: Safari on iOS',
    'button: Sign out everywhere else',
    'button: Done',
    'button: Save',
  ]);
  expect(within(dialog()).getByRole('form', { name: 'Profile' })).toBeInTheDocument();
  for (const name of ['Profile picture', 'Cover']) expect(within(dialog()).getByRole('group', { name })).toBeInTheDocument();
  for (const name of ['Password', 'Signed-in devices']) expect(within(dialog()).getByRole('region', { name })).toBeInTheDocument();
});

describe('the profile', () => {
  test('the public page follows the username', async () => {
    await openSettingsOf(maren);
    expect(field('Username')).toHaveAccessibleDescription('Your public page: /@maren-holt');
    await retype('Username', 'Tide Line');
    expect(field('Username')).toHaveAccessibleDescription('Your public page: /@tide-line. Addresses you chose before still lead to it.');
  });

  test("shows 'changes saved' after saving what was changed", async () => {
    const session = await openSettingsOf(maren);
    expect(within(dialog()).getByRole('button', { name: 'Save' })).toBeDisabled();
    await retype('First Name', 'Marit');
    await userEvent.type(field('Location'), 'Bergen');
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));

    expect(server.bodyOf('PUT /api/users/maren')).toEqual({ firstName: 'Marit', info: { location: 'Bergen' } });
    expect(within(dialog()).getByRole('button', { name: 'Save' })).toBeDisabled();
    expect(session()).toMatchObject({ firstName: 'Marit', info: { location: 'Bergen' } });
    expect(within(dialog()).getByRole('button', { name: 'Done' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument());
  });

  test("reads 'saving' meanwhile, and can be stopped", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    server.answer({
      'PUT /api/users/maren': async () => {
        await finished;
        return { json: { updatedUser: maren } };
      },
    });
    await openSettingsOf(maren);
    await userEvent.type(field('About'), 'Tape and tides.');
    await save();
    expect(status()).toHaveTextContent(/^saving$/);
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(status()).toBeEmptyDOMElement());
    expect(field('About')).toHaveValue('Tape and tides.');
    finish();
  });

  test.each([
    ['First Name', 'Maren Ida', 'Invalid Characters in first/last name'],
    ['Username', 'maren_holt', 'Invalid Characters in new username'],
  ])('%s refuses %s', async (label, text, message) => {
    await openSettingsOf(maren);
    await retype(label, text);
    await save();
    expect(field(label)).toBeInvalid();
    expect(field(label)).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    await server.settledRequests();
    expect(server.commands()).toEqual([]);
  });

  test('counts characters near the limit', async () => {
    await openSettingsOf(maren);
    await userEvent.click(field('Location'));
    await userEvent.paste('x'.repeat(63));
    expect(screen.queryByText('63/80')).not.toBeInTheDocument();
    await userEvent.type(field('Location'), 'x');
    expect(screen.getByText('64/80')).toBeInTheDocument();
  });
});

test.each([
  ['Username', 'Ida', refused(409, 'user.username-taken', 'This username is taken.'), 'This username is taken.'],
  ['Username', 'Ida', refused(429, 'throttled', 'Five times.', 'username'), 'Five times.'],
  ['First Name', 'Roughmix', refused(400, 'name.reserved', 'This name is reserved.'), 'This name is reserved.'],
])('a refusal by the server is shown at its field: %s', async (label, text, refusal, message) => {
  server.answer({ 'PUT /api/users/maren': refusal });
  await openSettingsOf(maren);
  await retype(label, text);
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(field(label)).toBeInvalid();
});

test('a failure that concerns no field is scrolled into view', async () => {
  server.answer({ 'PUT /api/users/maren': refused(500, 'internal', 'Something went wrong on our side.') });
  const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
  await openSettingsOf(maren);
  await userEvent.type(field('Location'), 'Bergen');
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
  await waitFor(() => expect(scrolled.mock.contexts.at(-1)).toBe(screen.getByRole('alert')));
  scrolled.mockRestore();
});

test('asks before changes are discarded', async () => {
  await openSettingsOf(maren);
  await userEvent.type(field('About'), 'Tape');
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Cancel' }));
  const question = await screen.findByRole('alertdialog', { name: 'Discard changes?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  expect(field('About')).toHaveValue('Tape');
  await waitFor(() => expect(dialog().contains(document.activeElement)).toBe(true));
  await userEvent.keyboard('{Escape}');
  await userEvent.click(within(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument());
  expect(server.commands()).toEqual([]);
});

describe('the pictures', () => {
  const group = (name: string) => within(within(dialog()).getByRole('group', { name }));
  const choose = (label: string, file = pictureFile('image/jpeg')) => userEvent.upload(field(label), file, { applyAccept: false });

  test('are uploaded when the settings are saved', async () => {
    await openSettingsOf(maren);
    await choose('Profile picture');
    await choose('Cover');
    await server.settledRequests();
    expect(server.commands()).toEqual([]);
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
    expect(server.commands()).toEqual([
      'POST /api/storage/uploads',
      'PUT /api/storage/put',
      'PUT /api/users/maren/photo',
      'POST /api/storage/uploads',
      'PUT /api/storage/put',
      'PUT /api/users/maren/cover',
    ]);
    expect(server.bodyOf('POST /api/storage/uploads')).toMatchObject({ purpose: 'cover-photo' });
  });

  test('a gif is not a picture here', async () => {
    await openSettingsOf(maren);
    await choose('Profile picture', pictureFile('image/gif'));
    expect(screen.getByRole('alert')).toHaveTextContent('Needs to be a png or jpeg image');
  });

  test('a refused picture is named at its field', async () => {
    server.answer({ 'PUT /api/users/maren/photo': refused(400, 'upload.not-image', 'Needs to be a png, jpeg, gif or webp image') });
    await openSettingsOf(maren);
    await choose('Profile picture');
    await save();
    expect(await screen.findByRole('alert')).toHaveTextContent('Needs to be a png, jpeg, gif or webp image');
    await choose('Cover');
    expect(screen.getByRole('alert')).toBeInTheDocument();
    await choose('Profile picture');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('a photo is removed with the next save, unless the user keeps it', async () => {
    await server.close();
    server = await startAccountServer(withPhoto(maren));
    await openSettingsOf(withPhoto(maren));
    expect(group('Cover').queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
    await userEvent.click(group('Profile picture').getByRole('button', { name: 'Remove' }));
    expect(group('Profile picture').getByText('Removed when you save')).toBeInTheDocument();
    await userEvent.click(group('Profile picture').getByRole('button', { name: 'Keep the old one' }));
    expect(within(dialog()).getByRole('button', { name: 'Save' })).toBeDisabled();
    await userEvent.click(group('Profile picture').getByRole('button', { name: 'Remove' }));
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
    expect(server.commands()).toEqual(['DELETE /api/users/maren/photo']);
    expect(group('Profile picture').queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
  });
});

describe('the password', () => {
  test('new and confirmed password are disabled until the current one is filled', async () => {
    await openSettingsOf(maren);
    expect(field('New Password')).toBeDisabled();
    expect(field('Confirm Password')).toBeDisabled();
    await fill(field('Current Password'), 'before77');
    expect(field('New Password')).toBeEnabled();
    expect(field('Confirm Password')).toBeEnabled();
    await fill(field('New Password'), 'lowtide77');
    await userEvent.clear(field('Current Password'));
    expect(field('New Password')).toBeDisabled();
    expect(field('New Password')).toHaveValue('');
  });

  test('is changed, and the fields are cleared', async () => {
    await openSettingsOf(maren);
    await typePasswords('before77', 'lowtide77');
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
    expect(server.bodyOf('POST /api/auth/password')).toEqual({ currentPassword: 'before77', newPassword: 'lowtide77' });
    for (const label of ['Current Password', 'New Password', 'Confirm Password']) expect(field(label)).toHaveValue('');
  });

  test.each([
    ['low tide 77', 'low tide 77', 'New Password', 'Invalid Characters in your new password'],
    ['lowtide77', 'lowtide78', 'Confirm Password', 'New Passwords do not match.'],
    ['tide', 'tide', 'New Password', 'Passwords need at least 8 characters'],
  ])('a new password %s, confirmed as %s, is refused at %s: %s', async (next, confirmed, label, message) => {
    await openSettingsOf(maren);
    await typePasswords('before77', next, confirmed);
    await save();
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(field(label)).toHaveFocus();
    await server.settledRequests();
    expect(server.commands()).toEqual([]);
  });

  test('a wrong current password is named, and nothing else is saved', async () => {
    server.answer({ 'POST /api/auth/password': refused(403, 'password.incorrect', 'Supplied password is incorrect') });
    await openSettingsOf(maren);
    await userEvent.type(field('About'), 'Tape');
    await typePasswords('not-this', 'lowtide77');
    await save();
    expect(await screen.findByRole('alert')).toHaveTextContent('Supplied password is incorrect');
    await waitFor(() => expect(field('Current Password')).toHaveFocus());
    expect(server.commands()).toEqual(['POST /api/auth/password']);
    expect(field('About')).toHaveValue('Tape');
  });
});
