import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeviceSession } from '@roughmix/contracts/users/user.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type AccountServer, deviceCalled, newcomer, startAccountServer } from '../../testing/account-server';
import { openSettingsOf } from '../../testing/settings-dialog';

const maren = newcomer({ firstName: 'Maren', lastName: 'Holt', username: 'Maren Holt', profileCompletion: 1 });
let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(maren);
});
afterEach(() => server.close());

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
    await openSettingsOf(maren);
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
    await openSettingsOf(maren);
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(server.commands()).toEqual(['DELETE /api/auth/sessions']);
  });
});
