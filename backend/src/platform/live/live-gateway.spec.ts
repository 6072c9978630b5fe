import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { LiveGateway } from './live.gateway.js';

type Parts = ConstructorParameters<typeof LiveGateway>;
type Check = (socket: object, next: (error?: Error) => void) => void;

let did: string[];
/** The end of the log, which a server is asked for, has come. */
let follow: () => void;
let gateway: LiveGateway;
/** What a socket goes through before it is let in. */
let check: Check;
let begun: Promise<void>;

beforeEach(() => {
  did = [];
  const log = { info: () => undefined, error: (_facts: object, message: string) => void did.push(message) };
  const handshake = { check: () => Promise.resolve(void did.push('let in')) };
  const feed = { start: () => new Promise<void>((resolve) => (follow = resolve)) };
  const watch = { start: () => undefined, stop: () => undefined };
  const presence = { start: () => Promise.resolve(), stop: () => Promise.resolve(void did.push('ended')) };
  gateway = new LiveGateway(...([handshake, watch, feed, {}, presence, { listener: () => ({}) }, log] as unknown as Parts));
  const server = { use: (given: Check) => void (check = given) };
  begun = gateway.afterInit(server as unknown as Parameters<LiveGateway['afterInit']>[0]);
});

test('nobody comes in before messages are told from here on, though sockets are taken already', async () => {
  const answered = new Promise<Error | undefined>((resolve) => check({}, resolve));
  await turn();
  expect(did).toEqual([]);
  follow();
  await begun;
  expect([await answered, did]).toEqual([undefined, ['let in']]);
});

test('its end waits for what is still beginning: stores are closed behind it', async () => {
  await turn();
  const ended = gateway.onApplicationShutdown();
  await turn();
  expect(did).toEqual([]);
  follow();
  await Promise.all([begun, ended]);
  expect(did).toEqual(['ended']);
});
