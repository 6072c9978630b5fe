import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { comment, counts, invited, type NotificationsHeader, openList, startNotificationsHeader } from '../../testing/notifications-header';
import '../../shared/ui/dialog-surface';
import './invitation-question';

let header: NotificationsHeader;
beforeEach(async () => {
  header = await startNotificationsHeader();
});
afterEach(() => header.close());

describe('an invitation', () => {
  test('can be answered by leaving the project, after a question', async () => {
    let isIn = true;
    header.answer({
      'POST /api/projects/tune/leave': () => {
        isIn = false;
        return { status: 204 };
      },
      'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n2'], counts: counts(0) }, headers: { 'X-Position': '20' } }),
    });
    header.show([comment, invited]);
    const left = { ...invited, isUnread: false, gone: true, href: null, position: 20 };
    header.answer({
      'GET /api/notifications/ana': () => ({
        json: { notifications: [comment, isIn ? invited : left], counts: counts(isIn ? 2 : 1), next: null, position: 5 },
      }),
    });
    const list = await openList();
    await userEvent.click(await list.findByRole('button', { name: 'Leave Tune' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Leave Tune?' }));
    expect(question.getByText('To take part again, you need a new invitation from its owner.')).toBeInTheDocument();
    await userEvent.click(question.getByRole('button', { name: 'Leave project' }));
    expect(await screen.findByText('You left Tune.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    const after = await openList();
    await waitFor(() => expect(after.queryByRole('button', { name: 'Leave Tune' })).toBeNull());
    expect(after.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1);
    expect(await header.commands()).toEqual([
      ['/api/projects/tune/leave', {}],
      ['/api/notifications/markAsRead', { n2: 'Projects' }],
    ]);
  });

  test('can be answered by blocking its sender, also when the project is gone; other notifications offer neither', async () => {
    header.answer({ 'PUT /api/users/ana/blocked/bob': () => ({ status: 204 }) });
    header.show([comment, { ...invited, gone: true, href: null }]);
    const list = await openList();
    const block = await list.findByRole('button', { name: 'Block Bob' });
    expect(list.queryByRole('button', { name: /^Leave/ })).toBeNull();
    await userEvent.click(block);
    const question = within(await screen.findByRole('alertdialog', { name: 'Block Bob?' }));
    await userEvent.click(question.getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('You blocked Bob.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    const after = await openList();
    expect(await after.findByText(/invited you to Tune/)).toBeInTheDocument();
    expect(after.queryByRole('button', { name: 'Block Bob' })).toBeNull();
    expect(await header.commands()).toEqual([['/api/users/ana/blocked/bob', {}]]);
  });
});
