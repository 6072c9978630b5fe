/** @jest-environment-options {"customExportConditions": ["node", "node-addons"]} */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { InProject } from '@roughmix/contracts/live.api.js';
import type { ClientMessages, ServerMessages } from '@roughmix/contracts/live.js';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { Server, type Socket } from 'socket.io';
import { personCalled } from '../../testing/people-and-projects';
import { rememberCommand } from '../api/own-commands';
import { createLive, type Live } from './live';

const patient = { timeout: 10_000 };

type ServerSocket = Socket<ClientMessages, ServerMessages>;
const joined: InProject[] = [];
const sockets: ServerSocket[] = [];
let io: Server<ClientMessages, ServerMessages>;
let port = 0;
let cache: QueryClient;
let live: Live;
let end: () => void;
let handled: string[];
let servedLog: string;
let reloads: number;
let holdsBack: Promise<void>;

const handlers = {
  RegionRemoved: (_: QueryClient, push: { readonly ids: readonly string[]; readonly position: number }) =>
    void handled.push(`${push.ids.join()}@${push.position}`),
};
const removal = (position: number, commandId: string | null = null) =>
  ({ type: 'RegionRemoved', projectId: 'p1', actorUid: 'bob', ids: [`r${position}`], commandId, position }) as const;
const newest = () => sockets.at(-1);

async function serve(at: number) {
  const http = createServer();
  io = new Server(http, { transports: ['websocket'] });
  io.on('connection', (socket: ServerSocket) => {
    sockets.push(socket);
    socket.on('login', (_, ack) => ack({ ok: true, position: 40, log: servedLog }));
    socket.on('left-project', (_, ack) => ack({ ok: true }));
    socket.on('in-project', async (body, ack) => {
      joined.push(body);
      await holdsBack;
      ack({ ok: true, position: 40, log: servedLog, users: [personCalled('Ana')], ...(body.after === 13 ? { reload: true } : {}) });
    });
  });
  await new Promise<void>((resolve) => http.listen(at, '127.0.0.1', resolve));
  port = (http.address() as AddressInfo).port;
}

beforeEach(async () => {
  joined.length = 0;
  sockets.length = 0;
  handled = [];
  servedLog = 'log-1';
  reloads = 0;
  holdsBack = Promise.resolve();
  await serve(0);
  document.head.replaceChildren(Object.assign(document.createElement('base'), { href: `http://127.0.0.1:${port}/` }));
  cache = new QueryClient();
  live = createLive(cache, () => void (reloads += 1));
  end = live.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  end();
  await io.close();
});

test('a project is joined from where it was loaded, and its messages reach its handlers in order', async () => {
  live.join('p1', handlers, 12);
  await waitFor(() => expect(live.here.get().get('p1')).toEqual([personCalled('Ana')]), patient);
  newest()?.emit('regions', removal(41));
  newest()?.emit('regions', removal(42));
  newest()?.emit('regions', { ...removal(43), projectId: 'p2' });
  newest()?.emit('regions', removal(44));
  await waitFor(() => expect(handled).toEqual(['r41@41', 'r42@42', 'r44@44']), patient);
  expect(joined).toEqual([{ projectId: 'p1', after: 12 }]);
  expect(live.state.get()).toBe('online');
});

test('own changes are not handled twice', async () => {
  live.join('p1', handlers, 12);
  await waitFor(() => expect(joined).toHaveLength(1), patient);
  rememberCommand('mine');
  newest()?.emit('regions', removal(41, 'mine'));
  newest()?.emit('regions', removal(42, 'theirs'));
  await waitFor(() => expect(handled).toEqual(['r42@42']), patient);
});

test('after a lost connection it goes on behind the last position that was complete, and handles nothing twice', async () => {
  live.join('p1', handlers, 12);
  await waitFor(() => expect(joined).toHaveLength(1), patient);
  newest()?.emit('regions', removal(57));
  await waitFor(() => expect(handled).toEqual(['r57@57']), patient);
  newest()?.conn.close();
  await waitFor(
    () =>
      expect(joined).toEqual([
        { projectId: 'p1', after: 12 },
        { projectId: 'p1', after: 56, log: 'log-1' },
      ]),
    patient,
  );
  expect(reloads).toBe(0);
  newest()?.emit('regions', removal(57));
  newest()?.emit('regions', { ...removal(57), ids: ['another'] });
  newest()?.emit('regions', removal(58));
  await waitFor(() => expect(handled).toEqual(['r57@57', 'another@57', 'r58@58']), patient);
});

test('a message that comes before what was missed does not hide it', async () => {
  let letIn: () => void = () => undefined;
  holdsBack = new Promise((resolve) => (letIn = () => resolve()));
  live.join('p1', handlers, 12);
  await waitFor(() => expect(joined).toHaveLength(1), patient);
  newest()?.emit('regions', removal(57));
  await waitFor(() => expect(handled).toEqual(['r57@57']), patient);
  newest()?.conn.close();
  letIn();
  await waitFor(() => expect(joined).toHaveLength(2), patient);
  expect(joined[1]).toMatchObject({ after: 12 });
});

test('a connection that does not answer when the page is looked at again is made anew', async () => {
  await waitFor(() => expect(live.state.get()).toBe('online'), patient);
  const before = newest();
  before?.removeAllListeners('login');
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(sockets).toHaveLength(2), patient);
  // Its end and the new one come on two connections, in either order.
  await waitFor(() => expect(before?.connected).toBe(false), patient);
});

test('a server whose log is another one, as after a restore, makes the page load anew', async () => {
  live.join('p1', handlers, 12);
  await waitFor(() => expect(joined).toHaveLength(1), patient);
  servedLog = 'log-2';
  newest()?.conn.close();
  await waitFor(() => expect(reloads).toBe(1), patient);
});

test('who missed too much asks for everything of that project again', async () => {
  cache.setQueryData(['project', 'p1'], 'old');
  cache.setQueryData(['project', 'p2'], 'kept');
  live.join('p1', handlers, 13);
  await waitFor(() => expect(cache.getQueryState(['project', 'p1'])?.isInvalidated).toBe(true), patient);
  expect(cache.getQueryState(['project', 'p2'])?.isInvalidated).toBe(false);
});

test('who is here was told while joining: an answer that was made before takes nobody away', async () => {
  let letIn = (): void => undefined;
  holdsBack = new Promise((resolve) => (letIn = resolve));
  live.join('p1', handlers, 12);
  await waitFor(() => expect(joined).toHaveLength(1), patient);
  newest()?.emit('currentUsers', { projectId: 'p1', users: [personCalled('Ana'), personCalled('Bob')] });
  letIn();
  await holdsBack;
  newest()?.emit('regions', removal(41));
  await waitFor(() => expect(handled).toEqual(['r41@41']), patient);
  expect(live.here.get().get('p1')).toHaveLength(2);
});

test('who is here is told as it changes, and forgotten on leaving', async () => {
  const leave = live.join('p1', handlers, 12);
  await waitFor(() => expect(live.here.get().get('p1')).toHaveLength(1), patient);
  newest()?.emit('currentUsers', { projectId: 'p1', users: [personCalled('Ana'), personCalled('Bob')] });
  await waitFor(() => expect(live.here.get().get('p1')).toHaveLength(2), patient);
  leave();
  expect(live.here.get().has('p1')).toBe(false);
});

test('a server that stays away is told, and that it is back', async () => {
  await waitFor(() => expect(live.state.get()).toBe('online'), patient);
  await io.close();
  await waitFor(() => expect(live.state.get()).toBe('reconnecting'), patient);
  await serve(port);
  await waitFor(() => expect(live.state.get()).toBe('online'), patient);
});

test('a network that comes back is no longer said to be away', async () => {
  await waitFor(() => expect(live.state.get()).toBe('online'), patient);
  const network = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await io.close();
  await waitFor(() => expect(live.state.get()).toBe('offline'), patient);
  await serve(port);
  network.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(live.state.get()).toBe('reconnecting');
  await waitFor(() => expect(live.state.get()).toBe('online'), patient);
});
