import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { added, bell, bob, comment, counts, invited, type NotificationsHeader, startNotificationsHeader } from '../../testing/notifications-header';
import { notificationOf } from './notification-fixture';

let header: NotificationsHeader;
beforeEach(async () => {
  header = await startNotificationsHeader();
});
afterEach(() => {
  jest.useRealTimers();
  return header.close();
});

const pressed = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const shown = () => screen.queryAllByRole('group', { name: 'Notification' }).map((popIn) => within(popIn).getByRole('paragraph').textContent);

describe('pop-ins', () => {
  test('show what is new, at most three at once, and Escape dismisses the newest', async () => {
    header.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n4'], counts: counts(3) }, headers: { 'X-Position': '20' } }) });
    const { push } = header.show([]);
    await bell();
    for (const at of [1, 2, 3, 4]) push(added(notificationOf(bob, { _id: `n${at}`, message: `Bob said ${at}`, position: at }), at));
    expect(shown()).toEqual(['Bob said 2', 'Bob said 3', 'Bob said 4']);
    await userEvent.keyboard('{Escape}');
    expect(shown()).toEqual(['Bob said 2', 'Bob said 3']);
    expect(await header.commands()).toEqual([['/api/notifications/markAsRead', { n4: 'Comments' }]]);
  });

  test('stay when Escape leaves a field', async () => {
    const { push } = header.show([]);
    await bell();
    push(added(comment));
    document.body.appendChild(document.createElement('textarea')).focus();
    await userEvent.keyboard('{Escape}');
    document.activeElement?.remove();
    expect(shown()).toHaveLength(1);
    expect(await header.commands()).toEqual([]);
  });

  test('open their subject, or are dismissed', async () => {
    header.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: [], counts: counts(0) }, headers: { 'X-Position': '20' } }) });
    const { push } = header.show([]);
    await bell();
    push(added(invited));
    await pressed('Open');
    expect(screen.getByRole('status', { name: 'Address' })).toHaveTextContent('/bob/projects/tune');
    push(added(notificationOf(bob, { _id: 'n5' })));
    await pressed('Dismiss');
    expect(shown()).toEqual([]);
    expect((await header.commands()).map(([, body]) => body)).toEqual([{ n2: 'Projects' }, { n5: 'Comments' }]);
  });

  test('are announced, and not shown for comments in the open project', async () => {
    const { push } = header.show([], { viewed: 'song' });
    await bell();
    push(added(comment));
    expect(shown()).toEqual([]);
    push(added(invited));
    expect(screen.getByRole('region', { name: 'New notifications' })).toHaveAttribute('aria-live', 'polite');
    expect(shown()).toEqual(['Bob invited you to Tune: Come in']);
  });

  test('leave after ten seconds and stay unread', async () => {
    const { push } = header.show([]);
    await bell();
    jest.useFakeTimers();
    push(added(comment));
    act(() => {
      jest.advanceTimersByTime(9_000);
    });
    expect(shown()).toHaveLength(1);
    act(() => {
      jest.advanceTimersByTime(2_000);
    });
    expect(shown()).toEqual([]);
    jest.useRealTimers();
    expect(await bell()).toHaveTextContent('1 unread');
  });

  test('move aside when they would cover the field that has the focus', async () => {
    const { push } = header.show([]);
    const field = document.createElement('textarea');
    document.body.append(field);
    await bell();
    field.focus();
    push(added(comment));
    // Everything is at the same place here.
    const box = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, 100));
    await userEvent.type(field, 'x');
    expect(screen.getByRole('region', { name: 'New notifications' })).toHaveClass('aside');
    box.mockRestore();
    field.remove();
  });
});
