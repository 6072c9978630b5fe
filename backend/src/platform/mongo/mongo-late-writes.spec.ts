import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoDocumentStore } from '../documents/mongo-document-store.js';
import { ServiceUnavailable } from '../store-errors.js';
import { MongoVault } from '../vault/mongo-vault.js';
import { freshDatabase } from '../../testing/fresh-database.js';
import { MongoConnection } from './mongo-connection.js';

const { MONGO_URL = '' } = process.env;

/** Marks the writes to delay, in their body, id or value. */
const HELD = 'held-up';

/** A proxy that delays writes until released, even after their sender timed out, as a hanging server does. */
class DelayingProxy {
  readonly #server: Server;
  readonly #held: { readonly there: Socket; readonly bytes: Buffer }[] = [];
  readonly #sockets = new Set<Socket>();
  /** The requests to the server, as sent over the wire. */
  readonly asked: string[] = [];

  constructor(hostname: string, port: number) {
    this.#server = createServer((here) => {
      const there = connect(port, hostname);
      for (const socket of [here, there]) this.#sockets.add(socket.on('error', () => undefined));
      let isHolding = false;
      here.on('data', (bytes: Buffer) => {
        const text = bytes.toString('latin1');
        this.asked.push(text);
        isHolding ||= text.includes(HELD) && ['update', 'delete', 'insert'].some((command) => text.includes(`\u0002${command}\0`));
        if (isHolding) this.#held.push({ there, bytes });
        else there.write(bytes);
      });
      here.on('close', () => isHolding || there.destroy());
      there.on('data', (bytes: Buffer) => here.destroyed || here.write(bytes));
      there.on('close', () => here.destroy());
    });
  }

  async open(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get held(): number {
    return this.#held.length;
  }

  /** Sends the delayed writes; resolves when the server has answered them all. */
  async letThrough(): Promise<void> {
    await Promise.all(
      this.#held.map(async ({ there, bytes }) => {
        const answered = once(there, 'data');
        there.write(bytes);
        await answered;
      }),
    );
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server.close(), 'close');
  }
}

(MONGO_URL === '' ? describe.skip : describe)('a write that timed out and arrives late', () => {
  const { url, remove } = freshDatabase(MONGO_URL);
  const DOCS = { name: 'songs_v1', indexes: [] };
  let way: DelayingProxy;
  let slow: { readonly vault: MongoVault; readonly documents: MongoDocumentStore };
  let quick: typeof slow;
  const connections: MongoConnection[] = [];

  const openOn = async (address: string): Promise<typeof slow> => {
    const connection = await MongoConnection.open({ url: address });
    connections.push(connection);
    const [vault, documents] = [await MongoVault.open({ connection }), await MongoDocumentStore.open({ connection })];
    await vault.declare({ name: 'keys', indexes: ['owner'] });
    await documents.declare(DOCS);
    return { vault, documents };
  };

  beforeEach(async () => {
    const { hostname, port } = new URL(url);
    way = new DelayingProxy(hostname, Number(port));
    slow = await openOn(`mongodb://127.0.0.1:${await way.open()}${new URL(url).pathname}?directConnection=true&journal=false&w=1&readConcernLevel=local`);
    quick = await openOn(url);
  });
  afterEach(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await way.close();
    await remove();
  });

  test('the connection string cannot weaken majority writes and reads', async () => {
    await slow.vault.put('keys', 'k', { n: 1 });
    await slow.documents.save({ projector: 'a', checkpoint: 5, writes: [{ collection: DOCS.name, id: 's1', position: 5, body: {} }] });
    const having = (...commands: string[]) => way.asked.filter((text) => commands.some((command) => text.includes(`\u0002${command}\0`)));
    const [writes, reads] = [having('insert', 'update'), having('find')];
    expect([writes.length, reads.length]).toEqual([3, 1]);
    for (const text of writes) expect([text.includes('w\0\u0009\0\0\0majority'), text.includes('\u0008j\0\u0001')]).toEqual([true, true]);
    for (const text of reads) expect(text).toContain('level\0\u0009\0\0\0majority');
  });

  test('undoes no later acknowledged write to the vault, the facts, the documents or their checkpoint', async () => {
    const { vault, documents } = quick;
    await vault.put('keys', 'put', { n: 0 });
    for (const id of [`${HELD} 1`, `${HELD} 2`]) await vault.put('keys', id, { owner: 'ana', n: 0 });
    await documents.setFact('served', 'before');
    const lost = await Promise.allSettled([
      slow.vault.put('keys', 'put', { n: 1, text: HELD }),
      slow.vault.put('keys', 'new', { n: 1, text: HELD }),
      slow.vault.remove('keys', `${HELD} 1`),
      slow.vault.removeWhere('keys', 'owner', 'ana'),
      slow.documents.setFact('served', HELD),
      slow.documents.save({ projector: 'a', checkpoint: 5, writes: [{ collection: DOCS.name, id: 's1', position: 5, body: { text: HELD } }] }),
      slow.documents.save({ projector: HELD, checkpoint: 5, writes: [] }),
    ]);
    for (const each of lost) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(ServiceUnavailable) });

    for (const id of ['put', 'new', `${HELD} 1`, `${HELD} 2`]) await vault.put('keys', id, { n: 2 });
    await documents.setFact('served', 'after');
    await documents.save({ projector: HELD, checkpoint: 9, writes: [{ collection: DOCS.name, id: 's1', position: 9, body: { n: 2 } }] });
    expect(way.held).toBe(7);
    await way.letThrough();

    for (const id of ['put', 'new', `${HELD} 1`, `${HELD} 2`]) expect((await vault.get('keys', id))?.body).toEqual({ n: 2 });
    expect(await documents.fact('served')).toBe('after');
    expect(await documents.get(DOCS.name, 's1')).toEqual({ n: 2 });
    expect([await documents.checkpoint(HELD), await documents.checkpoint('a')]).toEqual([9, 0]);
  });
});
