import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BSON, Long, Timestamp } from 'mongodb';
import { MongoDocumentStore } from '../documents/mongo-document-store.js';
import { encrypt } from '../personal-data/aes-gcm.js';
import { DataKeys } from '../personal-data/data-keys.js';
import { KeyEpoch } from '../personal-data/key-epoch.js';
import { MongoVault } from '../vault/mongo-vault.js';
import { MongoConnection } from './mongo-connection.js';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

interface RecordedRequest {
  readonly name: string;
  readonly command: Readonly<Record<string, unknown>>;
}

/**
 * A minimal primary of a replica set that records requests and returns scripted answers which a real server cannot be made to give.
 * https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
class ScriptedPrimary {
  readonly asked: RecordedRequest[] = [];
  /** Scripted answers by command, in order; after the last one every call succeeds. */
  readonly script = new Map<string, object[]>();
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();
  #port = 0;
  /** Advances with each request, except the driver's own server checks. */
  #time = 1;

  get port(): number {
    return this.#port;
  }

  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    return `mongodb://127.0.0.1:${this.#port}/?replicaSet=rs`;
  }

  /** The requests with these command names, in order. */
  of(...names: string[]): readonly RecordedRequest['command'][] {
    return this.asked.filter(({ name }) => names.includes(name)).map(({ command }) => command);
  }

  /** Breaks every connection but accepts new ones. */
  breakOff(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.breakOff();
    await once(this.#server.close(), 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket.on('error', () => undefined));
    let waiting = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
        const message = waiting.subarray(0, waiting.readInt32LE(0));
        waiting = waiting.subarray(message.length);
        socket.write(this.#answer(message));
      }
    });
  }

  #answer(message: Buffer): Buffer {
    const isQuery = message.readInt32LE(12) === OP_QUERY;
    const command = isQuery ? BSON.deserialize(message.subarray(message.indexOf(0, 20) + 9)) : sections(message);
    const reply = Buffer.from(BSON.serialize(this.#reply(command)));
    // The flags, cursor, start and count of a reply, or the flags and section kind of a message.
    const lead = isQuery ? Buffer.from([8, ...Array.from({ length: 15 }, () => 0), 1, 0, 0, 0]) : Buffer.alloc(5);
    const header = Buffer.alloc(16);
    header.writeInt32LE(16 + lead.length + reply.length, 0);
    header.writeInt32LE(message.readInt32LE(4), 8);
    header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
    return Buffer.concat([header, lead, reply]);
  }

  #reply(command: RecordedRequest['command']): object {
    const [name = ''] = Object.keys(command);
    if (!/^(?:hello|isMaster|ismaster|ping|endSessions)$/.test(name)) {
      this.asked.push({ name, command });
      this.#time += 1;
    }
    const clusterTime = new Timestamp({ t: this.#time, i: 0 });
    const times = { operationTime: clusterTime, $clusterTime: { clusterTime, signature: { hash: new BSON.Binary(Buffer.alloc(20)), keyId: Long.ZERO } } };
    return { ok: 1, ...this.#usual(name, command), ...this.script.get(name)?.shift(), ...times };
  }

  #usual(name: string, command: RecordedRequest['command']): object {
    const me = `127.0.0.1:${this.#port}`;
    if (/^(?:hello|is[mM]aster)$/.test(name)) {
      const limits = { maxWireVersion: 21, minWireVersion: 0, maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };
      return {
        helloOk: true,
        isWritablePrimary: true,
        ismaster: true,
        setName: 'rs',
        hosts: [me],
        primary: me,
        me,
        logicalSessionTimeoutMinutes: 30,
        ...limits,
      };
    }
    if (name === 'find' || name === 'listCollections') return { cursor: { id: Long.ZERO, ns: `roughmix.${String(command[name])}`, firstBatch: [] } };
    return { n: 1, nModified: 1 };
  }
}

/** The command of a message, merged with its document sequences. */
function sections(message: Buffer): Record<string, unknown> {
  let command: Record<string, unknown> = {};
  for (let at = 20; at < message.length;) {
    const size = message.readInt32LE(at + 1);
    if (message[at] === 0) {
      command = { ...BSON.deserialize(message.subarray(at + 1, at + 1 + size)), ...command };
    } else {
      const end = message.indexOf(0, at + 5);
      const documents: unknown[] = [];
      for (let next = end + 1; next < at + 1 + size; next += message.readInt32LE(next)) {
        documents.push(BSON.deserialize(message.subarray(next, next + message.readInt32LE(next))));
      }
      command[message.toString('utf8', at + 5, end)] = documents;
    }
    at += 1 + size;
  }
  return command;
}

let primary: ScriptedPrimary;
let connection: MongoConnection;
let documents: MongoDocumentStore;
let vault: MongoVault;
beforeEach(async () => {
  primary = new ScriptedPrimary();
  connection = await MongoConnection.open({ url: await primary.open() });
  documents = await MongoDocumentStore.open({ connection });
  vault = await MongoVault.open({ connection });
  await documents.declare({ name: 'songs', indexes: [{ field: 'projectId' }] });
  await vault.declare({ name: 'keys' });
  primary.asked.length = 0;
});
afterEach(async () => {
  await connection.close();
  await primary.close();
});

const saveOne = () => documents.save({ projector: 'songs', checkpoint: 7, writes: [{ collection: 'songs', id: 's1', position: 7, body: { n: 1 } }] });
const guarded = { q: { _id: 's1', position: { $lt: 7 } }, u: { position: 7, body: { n: 1 } } };

test('every read waits for the latest cluster time this process has seen', async () => {
  await vault.insert('keys', 'k1', { n: 1 });
  await documents.get('songs', 's1');
  await vault.get('keys', 'k1');
  const [first, second] = primary.of('find').map(({ readConcern }) => readConcern);
  const [insert] = primary.of('insert');
  const seen = (concern: unknown): number => (concern as { readonly afterClusterTime: Timestamp }).afterClusterTime.t;
  expect(first).toMatchObject({ level: 'majority' });
  expect(seen(first)).toBeGreaterThan(0);
  expect(seen(second)).toBe(seen(first) + 1);
  expect(insert).toMatchObject({ writeConcern: { w: 'majority', j: true } });
});

test('reads that prove that no key was destroyed are linearizable, and carry no cluster time, which servers refuse beside that', async () => {
  const masterKey = randomBytes(32);
  const record = { _id: 'epoch', version: 1, body: { mark: 'm1', wrapped: encrypt(masterKey, 'key-epoch', randomBytes(32)) } };
  primary.script.set('find', [{ cursor: { id: Long.ZERO, ns: 'roughmix.vault.key-epoch', firstBatch: [record] } }]);
  const epoch = await KeyEpoch.open(vault, masterKey, { pollMs: 3_600_000, validMs: 0, slackMs: 0 });
  const keys = await DataKeys.open(vault, masterKey, epoch);
  expect(await keys.forOpening('ana')).toBeNull();
  await epoch.close();
  expect(primary.of('find').map(({ find, readConcern, maxTimeMS }) => ({ find, readConcern, maxTimeMS }))).toEqual(
    ['vault.key-epoch', 'vault.data-keys'].map((find) => ({ find, readConcern: { level: 'linearizable' }, maxTimeMS: 3_000 })),
  );
});

test('an upsert that lost a race for a new id is retried once, without inserting', async () => {
  primary.script.set('update', [{ n: 0, writeErrors: [{ index: 0, code: 11_000, errmsg: 'E11000' }] }]);
  await saveOne();
  expect(primary.of('update').map(({ updates }) => updates)).toMatchObject([
    [{ ...guarded, upsert: true }],
    [guarded],
    [{ q: { _id: 'songs' }, u: { $max: { position: 7 } }, upsert: true }],
  ]);
  expect(primary.of('update')[1]).not.toHaveProperty('updates.0.upsert', true);
});

test.each([
  ['a write that reaches no majority in time', { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } }, 'ServiceUnavailable', 64],
  [
    'another failure beside a taken id',
    {
      writeErrors: [
        { index: 0, code: 11_000 },
        { index: 0, code: 189 },
      ],
    },
    'ServiceUnavailable',
    189,
  ],
  ['a full disk', { writeErrors: [{ index: 0, code: 14_031 }] }, 'DiskFull', null],
  ['a bug of ours', { writeErrors: [{ index: 0, code: 2 }] }, 'Error', 2],
])('%s writes no checkpoint', async (_, answer, name, code) => {
  primary.script.set('update', [{ n: 0, ...answer }]);
  const message = code === null ? 'the disk of MongoDB is full' : `MongoDB answered an error (${code})`;
  await expect(saveOne()).rejects.toMatchObject({ name, message });
  expect(primary.of('update')).toHaveLength(1);
});

test('a write during an election is retried as the same write', async () => {
  primary.script.set('insert', [{ ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary', errorLabels: ['RetryableWriteError'] }]);
  expect(await vault.insert('keys', 'k1', { n: 1 })).toBe(true);
  const [sent, again] = primary.of('insert');
  expect(again).toMatchObject({ lsid: sent?.lsid, txnNumber: sent?.txnNumber, documents: sent?.documents });
});

test('an index build does not wait for members that are down', async () => {
  await documents.declare({ name: 'marks', indexes: [{ field: 'members.uid', sort: 'at' }] });
  expect(primary.of('createIndexes')).toMatchObject([
    {
      createIndexes: 'read.docs.marks',
      indexes: [{ name: 'by members.uid, at', key: { 'body.members.uid': 1, 'body.at': 1, _id: 1 } }],
      commitQuorum: 'majority',
      writeConcern: { w: 'majority' },
    },
  ]);
});

test("after the driver's monitor stops for good, the client is replaced and finds its server again", async () => {
  const mend = () => Reflect.deleteProperty(Socket.prototype, 'write');
  const stopped = new Promise<void>((resolve) => {
    // The socket breaks between the driver's check and its write.
    Object.assign(Socket.prototype, {
      write(this: Socket, ...args: Parameters<Duplex['write']>): boolean {
        const bytes: unknown = args[0];
        if (Buffer.isBuffer(bytes) && bytes.includes('hello') && !bytes.includes('driver') && this.remotePort === primary.port) {
          mend();
          this.destroy();
          resolve();
        }
        return Duplex.prototype.write.apply(this, args);
      },
    });
  });
  try {
    await stopped;
  } finally {
    mend();
  }
  primary.breakOff();
  const answers = async () => {
    for (const until = performance.now() + 15_000; performance.now() < until;) {
      const isThere = await connection.ping().then(
        () => true,
        () => false,
      );
      if (isThere) return true;
    }
    return false;
  };
  expect(await answers()).toBe(true);
  expect(await vault.get('keys', 'k1')).toBeNull();
});
