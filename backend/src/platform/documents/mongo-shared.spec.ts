import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freshDatabase } from '../../testing/fresh-database.js';
import { MongoConnection } from '../mongo/mongo-connection.js';
import { MongoDocumentStore } from './mongo-document-store.js';

const { MONGO_URL = '' } = process.env;

/** Above MongoDB's document limit of 16 MB. */
const TOO_LONG = 'x'.repeat(17_000_000);

/** A proxy that records the traffic to the server. */
class WatchedWay {
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(hostname: string, port: number) {
    this.#server = createServer((here) => {
      const there = connect(port, hostname);
      for (const socket of [here, there]) this.#sockets.add(socket.on('error', () => undefined));
      here.on('data', (bytes: Buffer) => {
        this.asked.push(bytes.toString('latin1'));
        there.write(bytes);
      });
      here.on('close', () => there.destroy());
      there.on('data', (bytes: Buffer) => here.destroyed || here.write(bytes));
      there.on('close', () => here.destroy());
    });
  }

  async open(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** How often a command was sent to a collection. */
  sent(command: string, collection: string): number {
    return this.asked.filter((text) => text.includes(`\u0002${command}\0`) && text.includes(`${collection}\0`)).length;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server.close(), 'close');
  }
}

(MONGO_URL === '' ? describe.skip : describe)('concurrent calls, on MONGO_URL', () => {
  const SONGS = 'songs_v1';
  const { url, remove } = freshDatabase(MONGO_URL);
  let way: WatchedWay;
  let connection: MongoConnection;
  let documents: MongoDocumentStore;

  const batch = (projector: string, checkpoint: number, body: object = { by: projector }) => ({
    projector,
    checkpoint,
    writes: [{ collection: SONGS, id: `of-${projector}`, position: checkpoint, body: { ...body } }],
  });

  beforeEach(async () => {
    const { hostname, port } = new URL(url);
    way = new WatchedWay(hostname, Number(port));
    connection = await MongoConnection.open({ url: `mongodb://127.0.0.1:${await way.open()}${new URL(url).pathname}?directConnection=true` });
    documents = await MongoDocumentStore.open({ connection });
    await documents.declare({ name: SONGS, indexes: [] });
  });
  afterEach(async () => {
    await connection.close();
    await way.close();
    await remove();
  });

  test('batches of several projectors write their checkpoints in one call, those of one projector one at a time', async () => {
    await Promise.all([documents.save(batch('a', 3)), documents.save(batch('b', 3)), documents.save({ projector: 'c', checkpoint: 3, writes: [] })]);
    expect([way.sent('update', 'read.checkpoints'), Object.fromEntries(await documents.checkpoints(['a', 'b', 'c']))]).toEqual([1, { a: 3, b: 3, c: 3 }]);
    await Promise.all([documents.save(batch('a', 4)), documents.save(batch('a', 5)), documents.save(batch('b', 5))]);
    expect([way.sent('update', 'read.checkpoints'), Object.fromEntries(await documents.checkpoints(['a', 'b']))]).toEqual([3, { a: 5, b: 5 }]);
  });

  test('a batch whose documents cannot be saved holds back only its own checkpoint', async () => {
    const [broken, other] = await Promise.allSettled([documents.save(batch('a', 3, { text: TOO_LONG })), documents.save(batch('b', 3))]);
    expect([broken, other]).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }]);
    expect(Object.fromEntries(await documents.checkpoints(['a', 'b']))).toEqual({ a: 0, b: 3 });
    await documents.save(batch('a', 3));
    expect(await documents.get(SONGS, 'of-a')).toEqual({ by: 'a' });
  });

  test('documents of one collection are read in one call, and callers do not share objects', async () => {
    await documents.save(batch('a', 3));
    const before = way.sent('find', SONGS);
    const [one, other, missing, many] = await Promise.all([
      documents.get(SONGS, 'of-a'),
      documents.get(SONGS, 'of-a'),
      documents.get(SONGS, 'of-nobody'),
      documents.getMany(SONGS, ['of-a', 'of-nobody']),
    ]);
    expect(way.sent('find', SONGS) - before).toBe(1);
    expect([one, other, missing, [...many]]).toEqual([{ by: 'a' }, { by: 'a' }, null, [['of-a', { by: 'a' }]]]);
    expect(new Set([one, other, many.get('of-a')]).size).toBe(3);
  });

  test('a read that starts after a save sees it, whatever is read at the same time', async () => {
    for (let position = 1; position <= 20; position += 1) {
      const earlier = documents.get(SONGS, 'of-a');
      await documents.save(batch('a', position, { position }));
      expect(await documents.get(SONGS, 'of-a')).toEqual({ position });
      await earlier;
    }
  });
});
