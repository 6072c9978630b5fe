import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { freePort } from '../../testing/free-port.js';
import { LOG } from '../tokens.js';
import type { LiveServer } from './connections.js';
import { Handshake } from './handshake.js';
import { LiveFeed } from './live-feed.js';
import { LiveGateway } from './live.gateway.js';
import { MessageSources } from './message-sources.js';
import { Presence } from './presence.js';
import { PushDispatcher } from './push-dispatcher.js';
import { Rooms } from './rooms.js';
import { SocketWatch } from './socket-watch.js';

let did: string[];
/** Resolves the feed's start. */
let follow: () => void;
/** Rejects it. */
let fail: (error: Error) => void;
let gateway: LiveGateway;
let server: LiveServer;
let url: string;
let begun: Promise<void>;
let socket: Socket;

beforeEach(async () => {
  did = [];
  const built = await Test.createTestingModule({
    providers: [
      LiveGateway,
      { provide: Handshake, useValue: { check: () => Promise.resolve(void did.push('let in')), refused: (code: string) => void did.push(code) } },
      { provide: SocketWatch, useValue: { start: () => undefined, stop: () => undefined } },
      { provide: LiveFeed, useValue: { start: () => new Promise<void>((resolve, reject) => ([follow, fail] = [resolve, reject])) } },
      { provide: MessageSources, useValue: { ended: () => undefined } },
      { provide: Rooms, useValue: {} },
      { provide: Presence, useValue: { start: () => Promise.resolve(), stop: () => Promise.resolve(void did.push('ended')) } },
      { provide: PushDispatcher, useValue: { listener: () => ({}) } },
      { provide: LOG, useValue: { info: () => undefined, error: (_fields: object, message: string) => void did.push(message) } },
    ],
  }).compile();
  gateway = built.get(LiveGateway);
  const port = Number(await freePort());
  server = new Server(port, { transports: ['websocket'] });
  url = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  socket.disconnect();
  await server.close();
});

/** Connects a browser; resolves when its socket has reached the gateway. */
async function knocked(): Promise<void> {
  const arrived = new Promise<void>((resolve) =>
    server.use((_socket, next) => {
      resolve();
      next();
    }),
  );
  gateway.afterInit(server);
  begun = gateway.start(server);
  socket = io(url, { transports: ['websocket'] });
  await arrived;
  await turn();
}

test('no socket connects before the feed follows the log, although the server already listens', async () => {
  await knocked();
  expect(did).toEqual([]);
  const isIn = once(server, 'connection');
  follow();
  await Promise.all([begun, isIn]);
  expect(did).toEqual(['let in']);
});

test('shutdown waits for a start that is still under way, because stores close after it', async () => {
  await knocked();
  const ended = gateway.onApplicationShutdown();
  await turn();
  expect(did).toEqual([]);
  const isIn = once(server, 'connection');
  follow();
  await Promise.all([begun, ended, isIn]);
  expect(did.toSorted()).toEqual(['ended', 'let in']);
});

test('a start that fails is thrown to its caller; sockets that wait for it are refused, and shutdown does not fail', async () => {
  await knocked();
  const refused = new Promise<Error>((resolve) => socket.once('connect_error', resolve));
  fail(new Error('the log is away'));
  await expect(begun).rejects.toThrow('the log is away');
  expect((await refused).message).toBe('internal');
  await gateway.onApplicationShutdown();
  expect(did).toEqual(['handshake failed', 'internal', 'ended']);
});
