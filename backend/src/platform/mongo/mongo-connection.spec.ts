import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { MongoConnection } from './mongo-connection.js';
import { asStoreError } from './mongo-errors.js';
import { WatchedClient } from './watched-client.js';
import { MongoServerError } from 'mongodb';

/** The error of a failed opening and the milliseconds it took. */
async function failure(url: string): Promise<{ readonly error: Error; readonly after: number }> {
  const began = performance.now();
  const error = await MongoConnection.open({ url }).then(
    () => new Error('it opened'),
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
  return { error, after: performance.now() - began };
}

/** Less than the driver's default of 30 seconds. */
const SOON_MS = 20_000;

const everythingOf = (error: Error): string => `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;

describe('a server that hangs', () => {
  let server: Server;
  let port: number;
  const sockets = new Set<Socket>();
  beforeEach(async () => {
    server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  });

  test('is reported as ServiceUnavailable within seconds, without the password in any message', async () => {
    const { error, after } = await failure(`mongodb://ana:s3cret@127.0.0.1:${port}/studio`);
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(after).toBeLessThan(SOON_MS);
    expect(everythingOf(error)).not.toMatch(/s3cret|ana:/);
  });

  test('is reported as ServiceUnavailable if nothing listens at its address', async () => {
    await once(server.close(), 'close');
    const { error, after } = await failure(`mongodb://127.0.0.1:${port}/`);
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(after).toBeLessThan(SOON_MS);
  });

  test('leaves a client that must be replaced, because the driver would not reconnect it', async () => {
    const watched = new WatchedClient(`mongodb://127.0.0.1:${port}/`);
    expect(watched.isStuck).toBe(false);
    await expect(watched.db.command({ ping: 1 })).rejects.toMatchObject({ name: 'MongoServerSelectionError' });
    expect(watched.isStuck).toBe(true);
    await watched.close();
  });
});

test.each([
  ['mongodb://ana:s3cret@127.0.0.1/?unknownThing=1', 'the MongoDB address is invalid'],
  ['mongodb://ana:s3cr/et@127.0.0.1/', 'the MongoDB address is invalid'],
  ['mongodb://127.0.0.1/?unknownThing=1', 'the MongoDB address is invalid: option unknownthing is not supported'],
])('an invalid address is an error without its password: %s', async (url, message) => {
  const { error } = await failure(url);
  expect(error.message).toBe(message);
  expect(everythingOf(error)).not.toMatch(/s3cr/);
});

describe('a server error', () => {
  const toError = (answer: object): Error => asStoreError(new MongoServerError({ errmsg: 'about ana@example.org', ...answer }));

  test.each([
    [10_107, 'NotWritablePrimary'],
    [91, 'ShutdownInProgress'],
    [64, 'WriteConcernTimeout'],
    [11_602, 'InterruptedDueToReplStateChange'],
    [18, 'AuthenticationFailed'],
  ])('with code %i is ServiceUnavailable', (code, codeName) => {
    const error = toError({ code, codeName });
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(error.message).toBe(`MongoDB answered ${codeName} (${code})`);
  });

  test('about missing space is DiskFull', () => {
    expect(toError({ code: 14_031, codeName: 'OutOfDiskSpace' })).toBeInstanceOf(DiskFull);
    expect(toError({ code: 8_000, errmsg: 'you are over your space quota' })).toBeInstanceOf(DiskFull);
  });

  test('of any other kind is a bug of ours, reported without the written values', () => {
    const error = toError({ code: 2, codeName: 'BadValue', op: { name: 'Ana' } });
    expect(error).not.toBeInstanceOf(ServiceUnavailable);
    expect(error.message).toBe('MongoDB answered BadValue (2)');
    expect(everythingOf(error)).not.toMatch(/ana@|Ana/);
  });
});
