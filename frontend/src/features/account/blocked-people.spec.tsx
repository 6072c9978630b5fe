import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type AccountServer, newcomer, startAccountServer } from '../../testing/account-server';
import { personCalled } from '../../testing/people-and-projects';
import { openSettingsOf } from '../../testing/settings-dialog';

const maren = newcomer({ firstName: 'Maren', lastName: 'Holt', username: 'Maren Holt', profileCompletion: 1 });
let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(maren);
});
afterEach(() => server.close());

describe('the blocked people', () => {
  const section = () => screen.findByRole('region', { name: 'Blocked people' });

  test('are none at first', async () => {
    await openSettingsOf(maren);
    expect(await section()).toHaveTextContent(/^Blocked peopleYou have not blocked anyone\./);
  });

  test('are listed, and unblocked one by one', async () => {
    const blocker = { ...maren, blocked: ['cleo', 'bob'] };
    server.answer({
      'GET /api/auth/session': () => ({ json: { user: blocker, staffRole: null } }),
      'GET /api/users/maren/blocked': () => ({ json: { users: [personCalled('Bob'), personCalled('Cleo')] } }),
      'DELETE /api/users/maren/blocked/:uid': () => ({ status: 204 }),
    });
    await openSettingsOf(blocker);
    const list = within(await section());
    await userEvent.click(await list.findByRole('button', { name: 'Unblock Bob' }));
    await waitFor(() => expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Unblock Cleo']));
    expect(list.getByRole('heading', { name: 'Blocked people' })).toHaveFocus();
    await userEvent.click(list.getByRole('button', { name: 'Unblock Cleo' }));
    await waitFor(async () => expect(await section()).toHaveTextContent(/You have not blocked anyone\./));
    expect(server.commands()).toEqual(['DELETE /api/users/maren/blocked/bob', 'DELETE /api/users/maren/blocked/cleo']);
  });
});
