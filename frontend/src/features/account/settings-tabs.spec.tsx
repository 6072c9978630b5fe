import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { controlsOf } from '../../testing/controls-of';
import { type AccountServer, newcomer, pictureFile, startAccountServer } from '../../testing/account-server';
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

const openTab = (name: string) => userEvent.click(within(dialog()).getByRole('tab', { name }));
const toggle = (name: string) => within(dialog()).getByRole('switch', { name });

describe('the tabs', () => {
  test('are Profile and Notifications, and open by keyboard', async () => {
    await openSettingsOf(maren);
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
    const session = await openSettingsOf(maren);
    await userEvent.upload(field('Profile picture'), pictureFile());
    const zoom = () => within(dialog()).getByRole('slider', { name: 'Zoom' });
    fireEvent.change(zoom(), { target: { value: '2' } });
    await fill(field('Location'), 'Bergen');
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
  await openSettingsOf(maren);
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
  await openSettingsOf(maren);
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
    await openSettingsOf(maren);
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
