import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LiveGateway } from './live.gateway.js';

type Parts = ConstructorParameters<typeof LiveGateway>;
type Check = (socket: object, next: (error?: Error) => void) => void;

test('nobody comes in before messages are told from here on, though sockets are taken already', async () => {
  const did: string[] = [];
  let follow = (): void => undefined;
  const log = { info: () => undefined, error: (_facts: object, message: string) => void did.push(message) };
  const handshake = { check: () => Promise.resolve(void did.push('let in')) };
  // A log on a server is asked for its end.
  const feed = { start: () => new Promise<void>((resolve) => (follow = resolve)) };
  const presence = { start: () => Promise.resolve() };
  const gateway = new LiveGateway(...([handshake, { start: () => undefined }, feed, {}, presence, { listener: () => ({}) }, log] as unknown as Parts));
  let check: Check = () => undefined;
  const server = { use: (given: Check) => void (check = given) };
  const begun = gateway.afterInit(server as unknown as Parameters<LiveGateway['afterInit']>[0]);
  const answered = new Promise<Error | undefined>((resolve) => check({}, resolve));
  await turn();
  expect(did).toEqual([]);
  follow();
  await begun;
  expect([await answered, did]).toEqual([undefined, ['let in']]);
});
