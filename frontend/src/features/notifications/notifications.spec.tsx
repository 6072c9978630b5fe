import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { NotificationPush } from '@roughmix/contracts/live.js';
import { resourceKindOf } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { useState } from 'react';
import { handle, type LiveSubscriber } from '../../shared/live/handlers';
import type { Live } from '../../shared/live/live';
import { LiveProvider } from '../../shared/live/live-provider';
import { idleLive } from '../../testing/open-page';
import { personCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';
import { renderFor } from '../../testing/with-session';
import { notificationOf } from './notification-fixture';
import { NotificationsMenu, useNotifications } from './notifications-menu';
import '../../shared/ui/dialog-surface';
import './invitation-question';
import './notifications-panel';
import { PopIns } from './pop-ins';

const ana = selfCalled('Ana');
const bob = personCalled('Bob');
const comment = notificationOf(bob);
const invited = notificationOf(bob, {
  _id: 'n2',
  type: 'ProjectUsersInvited',
  message: 'Bob invited you to Tune: Come in',
  parentResourceId: 'tune',
  parentResourceName: 'Tune',
  href: '/bob/projects/tune',
  refs: { projectId: 'tune' },
});
const counts = (other: number) => ({ other, groups: 0, messages: 0, byGroup: {} });
const height = Object.getOwnPropertyDescriptor(Element.prototype, 'clientHeight');
let server: StubServer;
let subscribers: LiveSubscriber[];
let ticked: unknown[];

beforeEach(async () => {
  subscribers = [];
  ticked = [];
  // Nothing has a height here, so the list would render no row.
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, get: () => 600 });
  server = await startStubServer({});
});
afterEach(async () => {
  jest.useRealTimers();
  if (height) Object.defineProperty(Element.prototype, 'clientHeight', height);
  await server.close();
});

const live = (): Live => ({
  ...idleLive(() => undefined),
  listen: (subscriber) => {
    subscribers.push(subscriber);
    return () => void (subscribers = subscribers.filter((one) => one !== subscriber));
  },
  tickChecklist: async (change) => {
    ticked.push(change);
    return { ok: true, checklist: { tutorial: true, upload: true, share: true, feedback: true } };
  },
});

const Address = () => <output aria-label="Address">{useLocation().pathname + useLocation().search}</output>;

function Header({ viewed }: { readonly viewed: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const { unread } = useNotifications('ana');
  return (
    <>
      <NotificationsMenu uid="ana" unread={unread} isOpen={isOpen} onOpenChange={setOpen} />
      <PopIns uid="ana" viewedProject={viewed} />
      <Address />
    </>
  );
}

/** The header of a page, with these notifications on the server. */
function page(list: readonly NotificationView[], { unread = list.filter(({ isUnread }) => isUnread).length, viewed = null as string | null } = {}) {
  server.answer({ 'GET /api/notifications/ana': () => ({ json: { notifications: list, counts: counts(unread), next: null, position: 5 } }) });
  const { cache } = renderFor(
    ana,
    <MemoryRouter initialEntries={['/projects']}>
      <LiveProvider live={live()}>
        <Header viewed={viewed} />
      </LiveProvider>
    </MemoryRouter>,
    { bringsRouter: true },
  );
  return { push: (push: NotificationPush) => act(() => subscribers.forEach(({ handlers }) => handle(handlers, cache, push))) };
}
const added = (view: NotificationView, other = 1): NotificationPush => ({
  type: 'NotificationAdded',
  view,
  counts: counts(other),
  actorUid: 'bob',
  commandId: null,
  position: view.position,
});
const bell = () => screen.findByRole('button', { name: /^Notifications/ });
async function openList() {
  await userEvent.click(await bell());
  return within(await screen.findByRole('dialog', { name: 'Notifications' }));
}
const pressed = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const commands = async () => (await server.settledRequests()).filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body]);

/** A promise, and what fulfils it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => act(async () => open()) };
}

describe('the list', () => {
  test('shows the unread count, and each entry leads to its subject and becomes read', async () => {
    let unread = 2;
    server.answer({
      'PUT /api/notifications/markAsRead': ({ body }) => ({
        json: { read: Object.keys(body as object), counts: counts((unread -= 1)) },
        headers: { 'X-Position': String(30 - unread) },
      }),
    });
    page([comment, invited]);
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
    expect(await commands()).toEqual([
      ['/api/notifications/markAsRead', { n1: 'Comments' }],
      ['/api/notifications/markAsRead', { n2: 'Projects' }],
    ]);
  });

  test('dismisses one entry, or all', async () => {
    server.answer({
      'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n1'], counts: counts(1) }, headers: { 'X-Position': '20' } }),
      'PUT /api/notifications/dismissAll': () => ({ json: { counts: counts(0) }, headers: { 'X-Position': '21' } }),
    });
    page([comment, invited]);
    const list = await openList();
    const [first] = await list.findAllByRole('button', { name: 'Dismiss' });
    if (first) await userEvent.click(first);
    await waitFor(() => expect(list.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1));
    server.answer({
      'GET /api/notifications/ana': () => ({
        json: { notifications: [comment, invited].map((view) => ({ ...view, isUnread: false })), counts: counts(0), next: null, position: 20 },
      }),
    });
    await userEvent.click(list.getByRole('button', { name: 'Dismiss All' }));
    expect(await list.findByText('No new notifications')).toBeInTheDocument();
    expect(list.queryByRole('button', { name: 'Dismiss All' })).toBeNull();
    expect(await commands()).toEqual([
      ['/api/notifications/markAsRead', { n1: 'Comments' }],
      ['/api/notifications/dismissAll', { set: 'other' }],
    ]);
  });

  test('says when there is nothing new, and Back closes it', async () => {
    page([]);
    const list = await openList();
    expect(await list.findByText('No new notifications')).toBeInTheDocument();
    await userEvent.click(list.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull());
  });
});

describe('an invitation', () => {
  test('can be answered by leaving the project, after a question', async () => {
    let isIn = true;
    server.answer({
      'POST /api/projects/tune/leave': () => {
        isIn = false;
        return { status: 204 };
      },
      'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n2'], counts: counts(0) }, headers: { 'X-Position': '20' } }),
    });
    page([comment, invited]);
    const left = { ...invited, isUnread: false, gone: true, href: null, position: 20 };
    server.answer({
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
    expect(await commands()).toEqual([
      ['/api/projects/tune/leave', {}],
      ['/api/notifications/markAsRead', { n2: 'Projects' }],
    ]);
  });

  test('can be answered by blocking who sent it, also when the project is gone; other notifications offer neither', async () => {
    server.answer({ 'PUT /api/users/ana/blocked/bob': () => ({ status: 204 }) });
    page([comment, { ...invited, gone: true, href: null }]);
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
    expect(await commands()).toEqual([['/api/users/ana/blocked/bob', {}]]);
  });
});

describe('the list, as it is loaded and kept current,', () => {
  test('can be retried when it failed to load', async () => {
    page([comment]);
    server.answer({ 'GET /api/notifications/ana': () => ({ status: 500 }) });
    const list = await openList();
    server.answer({ 'GET /api/notifications/ana': () => ({ json: { notifications: [comment], counts: counts(1), next: null, position: 5 } }) });
    await userEvent.click(await list.findByRole('button', { name: 'Retry' }));
    expect(await list.findByRole('link', { name: /^Bob commented/ })).toBeInTheDocument();
  });

  test('fetches older pages as they are approached', async () => {
    const older = notificationOf(bob, { _id: 'n0', message: 'Bob commented on Song: Older' });
    page([comment]);
    const pages: Record<string, object> = {
      '': { notifications: [comment], counts: counts(2), next: 'cursor', position: 5 },
      cursor: { notifications: [older], counts: counts(2), next: null, position: 5 },
    };
    server.answer({ 'GET /api/notifications/ana': ({ path }) => ({ json: pages[new URL(path, server.origin).searchParams.get('before') ?? ''] ?? {} }) });
    const list = await openList();
    expect(await list.findByRole('link', { name: /Older/ })).toBeInTheDocument();
  });
});

describe('what arrives live', () => {
  test('an answer that is older than a push overwrites neither the list nor the count', async () => {
    const { push } = page([]);
    const answer = gate();
    server.answer({
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
    server.answer({
      'PUT /api/notifications/markAsRead': async ({ body }) => {
        if (!Object.hasOwn(body as object, 'n1')) return { json: { read: ['n2'], counts: counts(0) }, headers: { 'X-Position': '21' } };
        await slow.opened;
        return { json: { read: ['n1'], counts: counts(1) }, headers: { 'X-Position': '20' } };
      },
    });
    page([comment, invited]);
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
    const { push } = page([comment]);
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
  const answerPages = (pages: Readonly<Record<string, object>>) =>
    server.answer({ 'GET /api/notifications/ana': ({ path }) => ({ json: pages[new URL(path, server.origin).search] ?? {} }) });

  test('has four items, is ticked by hand, fades 1 s after all are done, and is dismissed after 2.1 s', async () => {
    server.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: ['w'], counts: counts(0) }, headers: { 'X-Position': '20' } }) });
    page([welcome]);
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
    expect(ticked).toEqual([{ item: 'tutorial', done: true }]);
    pass(999);
    expect(cardIn(list)).not.toHaveClass('fades');
    pass(1);
    expect(cardIn(list)).toHaveClass('fades');
    pass(1_099);
    expect(await commands()).toEqual([]);
    pass(1);
    await meanwhile(() => expect(cardIn(list)).toBeNull());
    expect(await commands()).toEqual([['/api/notifications/markAsRead', { w: 'Users' }]]);
  });

  test('is shown although it is older than the first page, and is not new', async () => {
    const read = notificationOf(bob, { isUnread: false });
    page([read], { unread: 1 });
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
    page([comment], { unread: 2 });
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

describe('pop-ins', () => {
  const shown = () => screen.queryAllByRole('group', { name: 'Notification' }).map((popIn) => within(popIn).getByRole('paragraph').textContent);

  test('show what is new, at most three at once, and Escape dismisses the newest', async () => {
    server.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n4'], counts: counts(3) }, headers: { 'X-Position': '20' } }) });
    const { push } = page([]);
    await bell();
    for (const at of [1, 2, 3, 4]) push(added(notificationOf(bob, { _id: `n${at}`, message: `Bob said ${at}`, position: at }), at));
    expect(shown()).toEqual(['Bob said 2', 'Bob said 3', 'Bob said 4']);
    await userEvent.keyboard('{Escape}');
    expect(shown()).toEqual(['Bob said 2', 'Bob said 3']);
    expect(await commands()).toEqual([['/api/notifications/markAsRead', { n4: 'Comments' }]]);
  });

  test('stay when Escape leaves a field', async () => {
    const { push } = page([]);
    await bell();
    push(added(comment));
    document.body.appendChild(document.createElement('textarea')).focus();
    await userEvent.keyboard('{Escape}');
    document.activeElement?.remove();
    expect(shown()).toHaveLength(1);
    expect(await commands()).toEqual([]);
  });

  test('open their subject, or are dismissed', async () => {
    server.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: [], counts: counts(0) }, headers: { 'X-Position': '20' } }) });
    const { push } = page([]);
    await bell();
    push(added(invited));
    await pressed('Open');
    expect(screen.getByRole('status', { name: 'Address' })).toHaveTextContent('/bob/projects/tune');
    push(added(notificationOf(bob, { _id: 'n5' })));
    await pressed('Dismiss');
    expect(shown()).toEqual([]);
    expect((await commands()).map(([, body]) => body)).toEqual([{ n2: 'Projects' }, { n5: 'Comments' }]);
  });

  test('are announced, and not shown for comments in the open project', async () => {
    const { push } = page([], { viewed: 'song' });
    await bell();
    push(added(comment));
    expect(shown()).toEqual([]);
    push(added(invited));
    expect(screen.getByRole('region', { name: 'New notifications' })).toHaveAttribute('aria-live', 'polite');
    expect(shown()).toEqual(['Bob invited you to Tune: Come in']);
  });

  test('leave after ten seconds and stay unread', async () => {
    const { push } = page([]);
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
    const { push } = page([]);
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
