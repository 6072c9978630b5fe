import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type AccountServer, newcomer, startAccountServer } from '../testing/account-server';
import { openPage } from '../testing/open-page';
import { paths } from './paths';

const maren = newcomer({ firstName: 'Maren', lastName: 'Holt', username: 'Maren Holt', profileCompletion: 1 });
let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(maren);
});
afterEach(() => server.close());

test('the header leads home and to the projects, and its menu has notifications with their count, settings, the contact form and the sign-out', async () => {
  openPage('/projects');
  const nav = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(nav.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Home', '/home'],
    ['Projects', '/projects'],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Account menu of Maren Holt' }));
  const entries = within(await screen.findByRole('menu', { name: 'Account' })).getAllByRole('menuitem');
  expect(entries.map(({ textContent }) => textContent)).toEqual(['Notifications (0)', 'Settings', 'Contact', 'Sign Out']);
});

test('the header follows a saved name at once', async () => {
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu of Maren Holt' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Settings' }));
  const settings = within(await screen.findByRole('dialog', { name: 'Settings' }));
  await userEvent.type(settings.getByLabelText('Last Name'), 'm');
  await userEvent.click(settings.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(settings.getByRole('status')).toHaveTextContent(/^changes saved$/));
  await userEvent.click(settings.getByRole('button', { name: 'Done' }));
  expect(await screen.findByRole('button', { name: 'Account menu of Maren Holtm' })).toBeInTheDocument();
});

test('a link opens a tab over the own profile, once', async () => {
  server.answer({ 'GET /api/users/fetchProfilePageUserData': () => ({ status: 404, json: {} }) });
  const page = openPage(paths.settings('notifications'));
  const settings = within(await screen.findByRole('dialog', { name: 'Settings' }));
  expect(settings.getByRole('tabpanel', { name: 'Notifications' })).toBeInTheDocument();
  expect(page.address()).toBe('/home');
  await userEvent.click(settings.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument());
});

test('for a guest the entry shakes and opens nothing', async () => {
  server.answer({ 'GET /api/auth/session': () => ({ json: { user: { ...maren, isGuest: true }, staffRole: null } }) });
  openPage('/projects?settings=profile');
  await userEvent.click(await screen.findByRole('button', { name: /^Account menu of/ }));
  const entry = await screen.findByRole('menuitem', { name: 'Settings' });
  await userEvent.click(entry);
  expect(entry).toHaveClass('shakes');
  expect(await screen.findByText("Guests aren't allowed to edit data.")).toBeInTheDocument();
  expect(screen.getByRole('menu', { name: 'Account' })).toBeInTheDocument();
  expect(screen.queryByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument();
});
