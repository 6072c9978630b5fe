/** @jest-environment-options {"customExportConditions": ["node", "node-addons"]} */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { liveServer, type LiveServer } from '../../testing/live-server';
import { personCalled } from '../../testing/people-and-projects';
import { rememberCommand } from '../api/own-commands';
import { projectChannel } from './channels';
import type { LiveSubscriber } from './handlers';
import { createLive, type Live } from './live';
import { projectTopic } from './topics';

const longTimeout = { timeout: 10_000 };

let server: LiveServer;
let cache: QueryClient;
let live: Live;
let end: () => void;
let handled: string[];
let reloads: number;

const handlers = {
  RegionRemoved: (_: QueryClient, push: { readonly ids: readonly string[]; readonly position: number }) =>
    void handled.push(`${push.ids.join()}@${push.position}`),
};
const subscriber: LiveSubscriber = { channels: [projectChannel('regions')], handlers };
const removal = (position: number, commandId: string | null = null) =>
  ({ type: 'RegionRemoved', projectId: 'p1', actorUid: 'bob', ids: [`r${position}`], commandId, position }) as const;
const song = projectTopic('p1');
const present = () => live.presence.get().get('project:p1');

beforeEach(async () => {
  handled = [];
  reloads = 0;
  server = await liveServer();
  cache = new QueryClient();
  live = createLive(cache, () => void (reloads += 1));
  end = live.start('ana');
});
afterEach(async () => {
  jest.restoreAllMocks();
  end();
  await server.close();
});

test('joining a project catches up from where it was loaded, and pushes reach its handlers in order', async () => {
  live.join(song, subscriber, 12);
  await waitFor(() => expect(present()).toEqual([personCalled('Ana')]), longTimeout);
  server.newest()?.emit('regions', removal(41));
  server.newest()?.emit('regions', removal(42));
  server.newest()?.emit('regions', { ...removal(43), projectId: 'p2' });
  server.newest()?.emit('regions', removal(44));
  await waitFor(() => expect(handled).toEqual(['r41@41', 'r42@42', 'r44@44']), longTimeout);
  expect(server.joined).toEqual([{ projectId: 'p1', after: 12 }]);
  expect(live.state.get()).toBe('online');
});

test('a sign-out is said on the socket, and does not wait without a connection', async () => {
  await live.logout();
  expect(server.logouts).toEqual([]);
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
  await live.logout();
  expect(server.logouts).toEqual([{}]);
});

test('pushes for the tab’s own commands are not handled again', async () => {
  live.join(song, subscriber, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  rememberCommand('mine');
  server.newest()?.emit('regions', removal(41, 'mine'));
  server.newest()?.emit('regions', removal(42, 'theirs'));
  await waitFor(() => expect(handled).toEqual(['r42@42']), longTimeout);
});

test('own changes reach the handlers for what answers leave out, once', async () => {
  const own: string[] = [];
  live.join(song, { ...subscriber, ownHandlers: { RegionRemoved: (_cache, { position }) => own.push(`own@${position}`) } }, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  rememberCommand('mine');
  server.newest()?.emit('regions', removal(41, 'mine'));
  server.newest()?.emit('regions', removal(41, 'mine'));
  server.newest()?.emit('regions', removal(42, 'theirs'));
  await waitFor(() => expect([own, handled]).toEqual([['own@41'], ['r42@42']]), longTimeout);
});

test('after a lost connection a room continues after the last complete position, and handles no push twice', async () => {
  live.join(song, subscriber, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.newest()?.emit('regions', removal(57));
  await waitFor(() => expect(handled).toEqual(['r57@57']), longTimeout);
  server.newest()?.conn.close();
  await waitFor(
    () =>
      expect(server.joined).toEqual([
        { projectId: 'p1', after: 12 },
        { projectId: 'p1', after: 56, log: 'log-1' },
      ]),
    longTimeout,
  );
  expect(reloads).toBe(0);
  server.newest()?.emit('regions', removal(57));
  server.newest()?.emit('regions', { ...removal(57), ids: ['another'] });
  server.newest()?.emit('regions', removal(58));
  await waitFor(() => expect(handled).toEqual(['r57@57', 'another@57', 'r58@58']), longTimeout);
});

test('a push that arrives before the missed ones does not hide them', async () => {
  let letIn: () => void = () => undefined;
  server.holdsBack = new Promise((resolve) => (letIn = () => resolve()));
  live.join(song, subscriber, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.newest()?.emit('regions', removal(57));
  await waitFor(() => expect(handled).toEqual(['r57@57']), longTimeout);
  server.newest()?.conn.close();
  letIn();
  await waitFor(() => expect(server.joined).toHaveLength(2), longTimeout);
  expect(server.joined[1]).toMatchObject({ after: 12 });
});

test('a connection that does not answer when the page is shown again is replaced', async () => {
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
  const before = server.newest();
  before?.removeAllListeners('login');
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(server.sockets).toHaveLength(2), longTimeout);
  // Its end and the new one come on two connections, in either order.
  await waitFor(() => expect(before?.connected).toBe(false), longTimeout);
});

test('a server with another log, as after a restore, makes the page reload', async () => {
  live.join(song, subscriber, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.log = 'log-2';
  server.newest()?.conn.close();
  await waitFor(() => expect(reloads).toBe(1), longTimeout);
});

test('a tab that missed too much refetches everything of that project', async () => {
  cache.setQueryData(['project', 'p1'], 'old');
  cache.setQueryData(['project', 'p2'], 'kept');
  live.join(song, subscriber, 13);
  await waitFor(() => expect(cache.getQueryState(['project', 'p1'])?.isInvalidated).toBe(true), longTimeout);
  expect(cache.getQueryState(['project', 'p2'])?.isInvalidated).toBe(false);
});

test('presence that arrives while joining is not replaced by an older ack', async () => {
  let letIn = (): void => undefined;
  server.holdsBack = new Promise((resolve) => (letIn = resolve));
  live.join(song, subscriber, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.newest()?.emit('currentUsers', { projectId: 'p1', users: [personCalled('Ana'), personCalled('Bob')] });
  letIn();
  await server.holdsBack;
  server.newest()?.emit('regions', removal(41));
  await waitFor(() => expect(handled).toEqual(['r41@41']), longTimeout);
  expect(present()).toHaveLength(2);
});

test('presence is updated as it changes, and cleared on leaving', async () => {
  const leave = live.join(song, subscriber, 12);
  await waitFor(() => expect(present()).toHaveLength(1), longTimeout);
  server.newest()?.emit('currentUsers', { projectId: 'p1', users: [personCalled('Ana'), personCalled('Bob')] });
  await waitFor(() => expect(present()).toHaveLength(2), longTimeout);
  leave();
  expect(present()).toBeUndefined();
});

test('an unreachable server is reported, and so is its return', async () => {
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
  await server.close();
  await waitFor(() => expect(live.state.get()).toBe('reconnecting'), longTimeout);
  server = await liveServer(server.port);
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
});

test('a network that is back is no longer reported as lost', async () => {
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
  const network = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await server.close();
  await waitFor(() => expect(live.state.get()).toBe('offline'), longTimeout);
  server = await liveServer(server.port);
  network.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(live.state.get()).toBe('reconnecting');
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
});

test('a channel that a later subscriber adds is received on the open connection', async () => {
  live.listen({ channels: [projectChannel('media')], handlers: {} });
  await waitFor(() => expect(live.state.get()).toBe('online'), longTimeout);
  live.join(song, subscriber, 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.newest()?.emit('regions', removal(41));
  await waitFor(() => expect(handled).toEqual(['r41@41']), longTimeout);
});
