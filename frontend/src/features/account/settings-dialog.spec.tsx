import type { DeviceSession } from '@roughmix/contracts/users/user.view.js';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { sessionQuery } from '../../shared/session/session-query';
import { userEvent } from '@testing-library/user-event';
import { controlsOf } from '../../testing/controls-of';
import { type AccountServer, newcomer, pictureFile, startAccountServer, withPhoto } from '../../testing/account-server';
import { renderFor } from '../../testing/with-session';
import { useSession } from '../../shared/session/session-provider';
import { SettingsDialog } from './settings-dialog';

const maren = newcomer({ firstName: 'Maren', lastName: 'Holt', username: 'Maren Holt', profileCompletion: 1 });
const refused = (status: number, code: string, detail: string) => () => ({ status, json: { type: 'about:blank', title: '', status, code, detail } });
let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(maren);
});
afterEach(() => server.close());

const deviceCalled = (_id: string, device: string): DeviceSession => ({ _id, current: _id === 's1', dateAdded: Date.now(), lastUsed: Date.now(), device });
const dialog = () => screen.getByRole('dialog', { name: 'Settings' });
const field = (label: string) => within(dialog()).getByLabelText(label, { selector: 'input, textarea' });
const save = () => userEvent.click(within(dialog()).getByRole('button', { name: 'Save' }));
const status = () => within(dialog()).getByRole('status');

/** The dialog of the user that the session has at the moment. */
function OwnSettings() {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(true);
  return user !== null && isOpen ? <SettingsDialog user={user} onClose={() => setOpen(false)} /> : null;
}
async function openSettings(user = maren) {
  const { cache } = renderFor(user, <OwnSettings />);
  await screen.findByRole('dialog', { name: 'Settings' });
  return () => cache.getQueryData(sessionQuery.queryKey)?.user;
}
async function retype(label: string, text: string) {
  await userEvent.clear(field(label));
  await userEvent.type(field(label), text);
}
async function typePasswords(current: string, next: string, confirmed = next) {
  await userEvent.type(field('Current Password'), current);
  await userEvent.type(field('New Password'), next);
  await userEvent.type(field('Confirm Password'), confirmed);
}

const openTab = (name: string) => userEvent.click(within(dialog()).getByRole('tab', { name }));
const toggle = (name: string) => within(dialog()).getByRole('switch', { name });

test('who may find the profile is saved with it', async () => {
  await openSettings();
  await userEvent.click(within(dialog()).getByRole('checkbox', { name: 'Keep my page out of search engines' }));
  await save();
  await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
  expect(server.bodyOf('PUT /api/users/maren')).toEqual({ settings: { profile: { noindex: true } } });
  expect(within(dialog()).getByRole('checkbox', { name: 'Keep my page out of search engines' })).toBeChecked();
});

test('the keyboard reaches these controls, in this order', async () => {
  server.answer({ 'GET /api/auth/sessions': () => ({ json: { sessions: [deviceCalled('s1', 'Chrome on Linux'), deviceCalled('s2', 'Safari on iOS')] } }) });
  await openSettings();
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
    'checkbox: Hide me from people search (people who follow me still find me)',
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

describe('the tabs', () => {
  test('are Profile and Notifications, and open by keyboard', async () => {
    await openSettings();
    const tabs = within(dialog()).getByRole('tablist', { name: 'Settings' });
    expect(
      within(tabs)
        .getAllByRole('tab')
        .map(({ textContent }) => textContent.trim()),
    ).toEqual(['Profile', 'Notifications']);
    await waitFor(() => expect(tabs).toHaveAttribute('data-orientation', 'horizontal'));
    await openTab('Profile');
    await userEvent.keyboard('{ArrowRight}');
    expect(within(dialog()).getByRole('tabpanel', { name: 'Notifications' })).toBeInTheDocument();
    expect(controlsOf(dialog())).toEqual([
      'button: Close',
      'checkbox: Send push notifications',
      'checkbox: Todo reminders',
      'checkbox: Mentions',
      'checkbox: Replies',
      'checkbox: Invitations and permissions',
      'checkbox: Everything else',
      'checkbox: Reminder e-mails',
      'checkbox: Daily digest',
      'button: Done',
      'button: Save',
    ]);
    expect(toggle('Mentions')).toHaveAccessibleDescription('Someone mentions you in a comment, a todo or a reply.');
    expect(within(dialog()).getByRole('form', { name: 'Notifications' })).toHaveTextContent(`To ${maren.email}.`);
  });

  test('keep what is not saved, say where it is, and are saved together', async () => {
    const session = await openSettings();
    await userEvent.upload(field('Profile picture'), pictureFile());
    const zoom = () => within(dialog()).getByRole('slider', { name: 'Zoom' });
    fireEvent.change(zoom(), { target: { value: '2' } });
    await userEvent.type(field('Location'), 'Bergen');
    expect(status()).toBeEmptyDOMElement();
    await openTab('Profile not saved');
    await openTab('Notifications');
    expect(status()).toHaveTextContent(/^Not saved yet: Profile$/);
    expect(toggle('Daily digest')).not.toBeChecked();
    await userEvent.click(toggle('Daily digest'));
    await openTab('Profile not saved');
    expect(status()).toHaveTextContent(/^Not saved yet: Notifications$/);
    expect(field('Location')).toHaveValue('Bergen');
    expect(zoom()).toHaveValue('2');
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
    expect(server.bodyOf('PUT /api/users/maren')).toEqual({ info: { location: 'Bergen' }, settings: { mailNotifs: { digest: true } } });
    expect(server.commands()).toContain('PUT /api/users/maren/photo');
    expect(session()?.settings.mailNotifs).toEqual({ todoReminders: true, digest: true });
    await openTab('Notifications');
    expect(toggle('Daily digest')).toBeChecked();
    expect(within(dialog()).getByRole('button', { name: 'Save' })).toBeDisabled();
    await userEvent.click(toggle('Daily digest'));
    await userEvent.click(toggle('Daily digest'));
    expect(within(dialog()).getByRole('button', { name: 'Save' })).toBeDisabled();
  });
});

test('the tab with the field that is refused opens', async () => {
  await openSettings();
  await userEvent.clear(field('Last Name'));
  await openTab('Notifications');
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent('Enter your last name');
  expect(within(dialog()).getByRole('tabpanel', { name: 'Profile not saved' })).toBeInTheDocument();
  expect(field('Last Name')).toHaveFocus();
  await server.settledRequests();
  expect(server.commands()).toEqual([]);
});

test('a failure that concerns no field is shown in the open tab', async () => {
  server.answer({ 'PUT /api/users/maren': refused(500, 'internal', 'Something went wrong on our side.') });
  await openSettings();
  await openTab('Notifications');
  await userEvent.click(toggle('Reminder e-mails'));
  await save();
  expect(await within(within(dialog()).getByRole('form', { name: 'Notifications' })).findByRole('alert')).toHaveTextContent(
    'Something went wrong on our side.',
  );
  expect(toggle('Reminder e-mails')).not.toBeChecked();
  expect(within(dialog()).getByRole('button', { name: 'Save' })).toBeEnabled();
});

describe('push notifications', () => {
  const KINDS = ['Todo reminders', 'Mentions', 'Replies', 'Invitations and permissions', 'Everything else'];
  const areOn = () => KINDS.filter((name) => (toggle(name) as HTMLInputElement).checked);
  const open = async () => {
    await openSettings();
    await openTab('Notifications');
  };

  test('are on, except for everything else, and each kind is turned on and off alone', async () => {
    await open();
    expect(areOn()).toEqual(KINDS.slice(0, 4));
    await userEvent.click(toggle('Replies'));
    await userEvent.click(toggle('Everything else'));
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
    expect(server.bodyOf('PUT /api/users/maren')).toEqual({ settings: { pushNotifs: { replies: false, activity: true } } });
  });

  test('that are off show all kinds as off, and remember which were on', async () => {
    await open();
    await userEvent.click(toggle('Send push notifications'));
    expect(areOn()).toEqual([]);
    for (const name of KINDS) expect(toggle(name)).toBeDisabled();
    await save();
    await waitFor(() => expect(status()).toHaveTextContent(/^changes saved$/));
    expect(server.bodyOf('PUT /api/users/maren')).toEqual({ settings: { pushNotifs: { enabled: false } } });
    await userEvent.click(toggle('Send push notifications'));
    expect(areOn()).toEqual(KINDS.slice(0, 4));
  });
});

describe('the profile', () => {
  test('the public page follows the username', async () => {
    await openSettings();
    expect(field('Username')).toHaveAccessibleDescription('Your public page: /@maren-holt');
    await retype('Username', 'Tide Line');
    expect(field('Username')).toHaveAccessibleDescription('Your public page: /@tide-line. The old address leads to the new one.');
  });

  test("shows 'changes saved' after saving what was changed", async () => {
    const session = await openSettings();
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
    await openSettings();
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
    await openSettings();
    await retype(label, text);
    await save();
    expect(field(label)).toBeInvalid();
    expect(field(label)).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    await server.settledRequests();
    expect(server.commands()).toEqual([]);
  });

  test('a refusal by the server is shown at its field', async () => {
    server.answer({ 'PUT /api/users/maren': refused(409, 'user.username-taken', 'This username is taken.') });
    await openSettings();
    await retype('Username', 'Ida');
    await save();
    expect(await screen.findByRole('alert')).toHaveTextContent('This username is taken.');
    expect(field('Username')).toBeInvalid();
  });

  test('counts characters near the limit', async () => {
    await openSettings();
    await userEvent.click(field('Location'));
    await userEvent.paste('x'.repeat(63));
    expect(screen.queryByText('63/80')).not.toBeInTheDocument();
    await userEvent.type(field('Location'), 'x');
    expect(screen.getByText('64/80')).toBeInTheDocument();
  });
});

test('a failure that concerns no field is scrolled into view', async () => {
  server.answer({ 'PUT /api/users/maren': refused(500, 'internal', 'Something went wrong on our side.') });
  const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
  await openSettings();
  await userEvent.type(field('Location'), 'Bergen');
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
  await waitFor(() => expect(scrolled.mock.contexts.at(-1)).toBe(screen.getByRole('alert')));
  scrolled.mockRestore();
});

test('asks before changes are discarded', async () => {
  await openSettings();
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
    await openSettings();
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
    await openSettings();
    await choose('Profile picture', pictureFile('image/gif'));
    expect(screen.getByRole('alert')).toHaveTextContent('Needs to be a png or jpeg image');
  });

  test('a refused picture is named at its field', async () => {
    server.answer({ 'PUT /api/users/maren/photo': refused(400, 'upload.not-image', 'Needs to be a png, jpeg, gif or webp image') });
    await openSettings();
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
    await openSettings(withPhoto(maren));
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
    await openSettings();
    expect(field('New Password')).toBeDisabled();
    expect(field('Confirm Password')).toBeDisabled();
    await userEvent.type(field('Current Password'), 'before77');
    expect(field('New Password')).toBeEnabled();
    expect(field('Confirm Password')).toBeEnabled();
    await userEvent.type(field('New Password'), 'lowtide77');
    await userEvent.clear(field('Current Password'));
    expect(field('New Password')).toBeDisabled();
    expect(field('New Password')).toHaveValue('');
  });

  test('is changed, and the fields are cleared', async () => {
    await openSettings();
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
    await openSettings();
    await typePasswords('before77', next, confirmed);
    await save();
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(field(label)).toHaveFocus();
    await server.settledRequests();
    expect(server.commands()).toEqual([]);
  });

  test('a wrong current password is named, and nothing else is saved', async () => {
    server.answer({ 'POST /api/auth/password': refused(403, 'password.incorrect', 'Supplied password is incorrect') });
    await openSettings();
    await userEvent.type(field('About'), 'Tape');
    await typePasswords('not-this', 'lowtide77');
    await save();
    expect(await screen.findByRole('alert')).toHaveTextContent('Supplied password is incorrect');
    await waitFor(() => expect(field('Current Password')).toHaveFocus());
    expect(server.commands()).toEqual(['POST /api/auth/password']);
    expect(field('About')).toHaveValue('Tape');
  });
});

describe('the devices', () => {
  let sessions: DeviceSession[] = [];
  beforeEach(() => {
    const here = deviceCalled('s1', 'Chrome on Linux');
    const phone = { ...deviceCalled('s2', 'Safari on iOS'), lastUsed: Date.now() - 7_200_000 };
    sessions = [here, phone];
    const end = (left: typeof sessions) => {
      sessions = left;
      return { status: 204 };
    };
    server.answer({
      'GET /api/auth/sessions': () => ({ json: { sessions } }),
      'DELETE /api/auth/sessions/:id': (_request, [id]) => end(sessions.filter(({ _id }) => _id !== id)),
      'DELETE /api/auth/sessions': () => end([here]),
    });
  });
  const rows = async () => within(await screen.findByRole('region', { name: 'Signed-in devices' })).findAllByRole('listitem');

  test('are listed with their last use, and signed out one by one', async () => {
    await openSettings();
    const [first, second] = await rows();
    expect(first).toHaveTextContent('Chrome on Linuxlast used moments ago, signed in moments agothis device');
    expect(second).toHaveTextContent('last used 2 hours ago');
    await userEvent.click(screen.getByRole('button', { name: 'Sign out there: Safari on iOS' }));
    await waitFor(() => expect(screen.queryByText('Safari on iOS')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Signed-in devices' })).toHaveFocus());
    expect(server.commands()).toEqual(['DELETE /api/auth/sessions/s2']);
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).not.toBeInTheDocument();
  });

  test('all others are signed out at once', async () => {
    await openSettings();
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(server.commands()).toEqual(['DELETE /api/auth/sessions']);
  });
});
