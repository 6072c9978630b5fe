import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { resourceKindOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { added, bell, bob, comment, counts, invited, type NotificationsHeader, openList, startNotificationsHeader } from '../../testing/notifications-header';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';
import { notificationOf } from './notification-fixture';

let header: NotificationsHeader;
beforeEach(async () => {
  header = await startNotificationsHeader();
});
afterEach(() => {
  jest.useRealTimers();
  return header.close();
});

const answerPages = (pages: Readonly<Record<string, object>>) =>
  header.answer({ 'GET /api/notifications/ana': ({ path }) => ({ json: pages[new URL(path, header.origin).search] ?? {} }) });

/** A promise, and what fulfils it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => act(async () => open()) };
}

describe('the list', () => {
  test('shows the unread count, and each entry leads to its subject and becomes read', async () => {
    let unread = 2;
    header.answer({
      'PUT /api/notifications/markAsRead': ({ body }) => ({
        json: { read: Object.keys(body as object), counts: counts((unread -= 1)) },
        headers: { 'X-Position': String(30 - unread) },
      }),
    });
    header.show([comment, invited]);
    await waitFor(async () => expect(await bell()).toHaveTextContent('2 unread'));
    for (const [name, address, left] of [
      [/^Bob commented on Song: Louder ?, unread/, '/projects/song?comment=c1', '1 unread'],
      [/^Bob invited you to Tune: Come in ?, unread/, '/bob/projects/tune', ''],
    ] as const) {
      const list = await openList();
      await userEvent.click(await list.findByRole('link', { name }));
      expect(screen.getByRole('status', { name: 'Address' })).toHaveTextContent(address);
      await waitFor(async () => expect(((await bell()).textContent.match(/\d+ unread/) ?? [''])[0]).toBe(left));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull());
    }
    expect(await header.commands()).toEqual([
      ['/api/notifications/markAsRead', { n1: 'Comments' }],
      ['/api/notifications/markAsRead', { n2: 'Projects' }],
    ]);
  });

  test('dismisses one entry, or all', async () => {
    header.answer({
      'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n1'], counts: counts(1) }, headers: { 'X-Position': '20' } }),
      'PUT /api/notifications/dismissAll': () => ({ json: { counts: counts(0) }, headers: { 'X-Position': '21' } }),
    });
    header.show([comment, invited]);
    const list = await openList();
    const [first] = await list.findAllByRole('button', { name: 'Dismiss' });
    if (first) await userEvent.click(first);
    await waitFor(() => expect(list.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1));
    header.answer({
      'GET /api/notifications/ana': () => ({
        json: { notifications: [comment, invited].map((view) => ({ ...view, isUnread: false })), counts: counts(0), next: null, position: 20 },
      }),
    });
    await userEvent.click(list.getByRole('button', { name: 'Dismiss All' }));
    expect(await list.findByText('No new notifications')).toBeInTheDocument();
    expect(list.queryByRole('button', { name: 'Dismiss All' })).toBeNull();
    expect(await header.commands()).toEqual([
      ['/api/notifications/markAsRead', { n1: 'Comments' }],
      ['/api/notifications/dismissAll', { set: 'other' }],
    ]);
  });

  test('says when there is nothing new, and Back closes it', async () => {
    header.show([]);
    const list = await openList();
    expect(await list.findByText('No new notifications')).toBeInTheDocument();
    await userEvent.click(list.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull());
  });
});

describe('the list, as it is loaded and kept current,', () => {
  test('can be retried when it failed to load', async () => {
    header.show([comment]);
    header.answer({ 'GET /api/notifications/ana': () => ({ status: 500 }) });
    const list = await openList();
    header.answer({ 'GET /api/notifications/ana': () => ({ json: { notifications: [comment], counts: counts(1), next: null, position: 5 } }) });
    await userEvent.click(await list.findByRole('button', { name: 'Retry' }));
    expect(await list.findByRole('link', { name: /^Bob commented/ })).toBeInTheDocument();
  });

  test('fetches older pages as they are approached', async () => {
    const older = notificationOf(bob, { _id: 'n0', message: 'Bob commented on Song: Older' });
    header.show([comment]);
    answerPages({
      '?set=other&limit=30': { notifications: [comment], counts: counts(2), next: 'cursor', position: 5 },
      '?checklist=true': { notifications: [], counts: counts(2), next: null, position: 5 },
      '?set=other&limit=30&before=cursor': { notifications: [older], counts: counts(2), next: null, position: 5 },
    });
    const list = await openList();
    expect(await list.findByRole('link', { name: /Older/ })).toBeInTheDocument();
  });
});

describe('what arrives live', () => {
  test('an answer that is older than a push overwrites neither the list nor the count', async () => {
    const { push } = header.show([]);
    const answer = gate();
    header.answer({
      'GET /api/notifications/ana': async () => {
        await answer.opened;
        return { json: { notifications: [comment, invited], counts: counts(2), next: null, position: 5 } };
      },
    });
    await bell();
    push(added(notificationOf(bob, { _id: 'n3', message: 'Bob said more', position: 6 }), 3));
    push({ type: 'NotificationsRead', ids: ['n1'], counts: counts(2), actorUid: 'ana', commandId: 'elsewhere', position: 7 });
    push({ type: 'NotificationsRemoved', ids: ['n2'], counts: counts(1), actorUid: 'bob', commandId: null, position: 8 });
    await answer.open();
    const list = await openList();
    expect(await list.findByRole('link', { name: /^Bob said more ?, unread/ })).toBeInTheDocument();
    expect(list.getByRole('link', { name: /^Bob commented on Song: Louder/ })).not.toHaveAccessibleName(/unread/);
    expect(list.getAllByRole('link')).toHaveLength(2);
    await userEvent.click(list.getByRole('button', { name: 'Back' }));
    expect(await bell()).toHaveTextContent('1 unread');
  });

  test('the counts of two answers settle on the later command, whichever is answered first', async () => {
    const slow = gate();
    header.answer({
      'PUT /api/notifications/markAsRead': async ({ body }) => {
        if (!Object.hasOwn(body as object, 'n1')) return { json: { read: ['n2'], counts: counts(0) }, headers: { 'X-Position': '21' } };
        await slow.opened;
        return { json: { read: ['n1'], counts: counts(1) }, headers: { 'X-Position': '20' } };
      },
    });
    header.show([comment, invited]);
    const list = await openList();
    await userEvent.click((await list.findAllByRole('button', { name: 'Dismiss' }))[0] as HTMLElement);
    await userEvent.click(list.getAllByRole('button', { name: 'Dismiss' })[1] as HTMLElement);
    await waitFor(() => expect(list.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1));
    await slow.open();
    await waitFor(() => expect(list.queryByRole('button', { name: 'Dismiss' })).toBeNull());
    await userEvent.click(list.getByRole('button', { name: 'Back' }));
    expect(await bell()).not.toHaveTextContent('unread');
  });

  test('what another tab read becomes read here', async () => {
    const { push } = header.show([comment]);
    await waitFor(async () => expect(await bell()).toHaveTextContent('1 unread'));
    push({ type: 'NotificationsRead', ids: ['n1'], counts: counts(0), actorUid: 'ana', commandId: 'elsewhere', position: 11 });
    expect(await bell()).not.toHaveTextContent('unread');
    const list = await openList();
    expect(await list.findByText('No new notifications')).toBeInTheDocument();
    expect(list.getByRole('link', { name: /^Bob commented on Song: Louder/ })).toBeInTheDocument();
  });
});

test.each<[NotificationView['type'], string]>([
  ['UsersNew', 'Users'],
  ['ProjectName', 'Projects'],
  ['CollectionAdded', 'Projects'],
  ['GroupCommentAdded', 'Groups'],
  ['GroupMediaAdded', 'Groups'],
  ['VersionAddedNotifyUsers', 'Media'],
  ['RegionEdited', 'Media'],
  ['TodoReminder', 'Todos'],
  ['CompleteShared', 'Todos'],
  ['CommentTaggedUser', 'Comments'],
])('a notification of type %s is marked as read as one of %s', (type, kind) => {
  expect(resourceKindOf(type)).toBe(kind);
});

describe('the welcome checklist', () => {
  const welcome = notificationOf(null, {
    _id: 'w',
    type: 'UsersNew',
    message: 'Welcome to Roughmix',
    checklist: { tutorial: false, upload: true, share: true, feedback: true },
    parentResourceId: null,
    parentResourceName: null,
    href: null,
  });
  const cardIn = (list: Awaited<ReturnType<typeof openList>>) => list.queryByRole('region', { name: 'Welcome to Roughmix' });

  test('has four items, is ticked by hand, fades 1 s after all are done, and is dismissed after 2.1 s', async () => {
    header.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: ['w'], counts: counts(0) }, headers: { 'X-Position': '20' } }) });
    header.show([welcome]);
    const list = await openList();
    const card = within(await list.findByRole('region', { name: 'Welcome to Roughmix' }));
    expect(card.getAllByRole('checkbox').map((box) => [box.closest('label')?.textContent, (box as HTMLInputElement).checked])).toEqual([
      ['Open the project tutorial', false],
      ['Upload a track', true],
      ['Share progress', true],
      ['Get feedback from a group', true],
    ]);
    expect(card.getByText('3 of 4')).toBeInTheDocument();
    stopClock();
    fireEvent.click(card.getByRole('checkbox', { name: 'Open the project tutorial' }));
    await meanwhile(() => expect(card.getByText('4 of 4')).toBeInTheDocument());
    expect(header.ticked).toEqual([{ item: 'tutorial', done: true }]);
    pass(999);
    expect(cardIn(list)).not.toHaveClass('fades');
    pass(1);
    expect(cardIn(list)).toHaveClass('fades');
    pass(1_099);
    expect(await header.commands()).toEqual([]);
    pass(1);
    await meanwhile(() => expect(cardIn(list)).toBeNull());
    expect(await header.commands()).toEqual([['/api/notifications/markAsRead', { w: 'Users' }]]);
  });

  test('is shown although it is older than the first page, and is not new', async () => {
    const read = notificationOf(bob, { isUnread: false });
    header.show([read], { unread: 1 });
    answerPages({
      '?set=other&limit=30': { notifications: [read], counts: counts(1), next: 'cursor', position: 10 },
      '?checklist=true': { notifications: [welcome], counts: counts(1), next: null, position: 10 },
      '?set=other&limit=30&before=cursor': { notifications: [], counts: counts(1), next: null, position: 10 },
    });
    const list = await openList();
    expect(await list.findByRole('region', { name: 'Welcome to Roughmix' })).toBeInTheDocument();
    expect(list.getByText('No new notifications')).toBeInTheDocument();
    expect(list.queryByRole('button', { name: 'Dismiss All' })).toBeNull();
    await userEvent.click(list.getByRole('checkbox', { name: 'Open the project tutorial' }));
    expect(await list.findByText('4 of 4')).toBeInTheDocument();
    expect(list.getAllByRole('region', { name: 'Welcome to Roughmix' })).toHaveLength(1);
  });

  test('does not hide that something else is new', async () => {
    header.show([comment], { unread: 2 });
    answerPages({
      '?set=other&limit=30': { notifications: [comment], counts: counts(2), next: 'cursor', position: 10 },
      '?checklist=true': { notifications: [welcome], counts: counts(2), next: null, position: 10 },
      '?set=other&limit=30&before=cursor': { notifications: [], counts: counts(2), next: null, position: 10 },
    });
    const list = await openList();
    expect(await list.findByRole('region', { name: 'Welcome to Roughmix' })).toBeInTheDocument();
    expect(list.queryByText('No new notifications')).toBeNull();
    expect(list.getByRole('button', { name: 'Dismiss All' })).toBeInTheDocument();
  });
});
