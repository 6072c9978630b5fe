import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DiskFull, StoreAway } from '../store-errors.js';
import { MongoConnection } from './mongo-connection.js';
import { asStoreError } from './mongo-errors.js';
import { WatchedClient } from './watched-client.js';
import { MongoServerError } from 'mongodb';

/** What opening throws, and after how many milliseconds. */
async function failure(url: string): Promise<{ readonly error: Error; readonly after: number }> {
  const began = performance.now();
  const error = await MongoConnection.open({ url }).then(
    () => new Error('it opened'),
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
  return { error, after: performance.now() - began };
}

/** Less than the 30 seconds that the driver waits of its own accord. */
const SOON_MS = 20_000;

const everythingOf = (error: Error): string => `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;

describe('a server that stands still', () => {
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

  test('is away, soon, and nothing that is said has the password in it', async () => {
    const { error, after } = await failure(`mongodb://ana:s3cret@127.0.0.1:${port}/studio`);
    expect(error).toBeInstanceOf(StoreAway);
    expect(after).toBeLessThan(SOON_MS);
    expect(everythingOf(error)).not.toMatch(/s3cret|ana:/);
  });

  test('is away when nothing listens there', async () => {
    await once(server.close(), 'close');
    const { error, after } = await failure(`mongodb://127.0.0.1:${port}/`);
    expect(error).toBeInstanceOf(StoreAway);
    expect(after).toBeLessThan(SOON_MS);
  });

  test('leaves a client that is to be replaced: the driver would not connect it any more, though the server came back', async () => {
    const watched = new WatchedClient(`mongodb://127.0.0.1:${port}/`);
    expect(watched.isStuck).toBe(false);
    await expect(watched.db.command({ ping: 1 })).rejects.toMatchObject({ name: 'MongoServerSelectionError' });
    expect(watched.isStuck).toBe(true);
    await watched.close();
  });
});

test.each([
  ['mongodb://ana:s3cret@127.0.0.1/?unknownThing=1', 'the address of MongoDB cannot be used'],
  ['mongodb://ana:s3cr/et@127.0.0.1/', 'the address of MongoDB cannot be used'],
  ['mongodb://127.0.0.1/?unknownThing=1', 'the address of MongoDB cannot be used: option unknownthing is not supported'],
])('an address that the driver cannot use is an error without its password: %s', async (url, message) => {
  const { error } = await failure(url);
  expect(error.message).toBe(message);
  expect(everythingOf(error)).not.toMatch(/s3cr/);
});

describe('what a server answers', () => {
  const said = (answer: object): Error => asStoreError(new MongoServerError({ errmsg: 'about ana@example.org', ...answer }));

  test.each([
    [10_107, 'NotWritablePrimary'],
    [91, 'ShutdownInProgress'],
    [64, 'WriteConcernTimeout'],
    [11_602, 'InterruptedDueToReplStateChange'],
    [18, 'AuthenticationFailed'],
  ])('%i is away', (code, codeName) => {
    const error = said({ code, codeName });
    expect(error).toBeInstanceOf(StoreAway);
    expect(error.message).toBe(`MongoDB said ${codeName} (${code})`);
  });

  test('no room is a full disk', () => {
    expect(said({ code: 14_031, codeName: 'OutOfDiskSpace' })).toBeInstanceOf(DiskFull);
    expect(said({ code: 8_000, errmsg: 'you are over your space quota' })).toBeInstanceOf(DiskFull);
  });

  test('anything else is a mistake of ours, told without what was written', () => {
    const error = said({ code: 2, codeName: 'BadValue', op: { name: 'Ana' } });
    expect(error).not.toBeInstanceOf(StoreAway);
    expect(error.message).toBe('MongoDB said BadValue (2)');
    expect(everythingOf(error)).not.toMatch(/ana@|Ana/);
  });
});
