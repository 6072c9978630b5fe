import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { packBody, type PackedBody, weightOf } from '../mongo/mongo-body.js';
import type { MongoConnection } from '../mongo/mongo-connection.js';
import { duplicatesIn } from '../mongo/mongo-errors.js';
import type { DocumentWrite } from './documents.js';

/** A document as stored in MongoDB: its body (null for a tombstone) and the position of its last write. */
export interface StoredDocument extends Partial<Omit<PackedBody, 'body'>> {
  readonly _id: string;
  readonly position: number;
  readonly body: PackedBody['body'] | null;
}

/**
 * The size of one call: it must complete within the call timeout, the driver splits bulks above 16 MB, and encoding BSON blocks the event loop.
 */
const MOST_WRITES = 500;
const MOST_WEIGHT = 8 * 1024 * 1024;
/** Concurrent calls. */
const CALLS = 4;

/** Writes to different documents of one collection. */
interface Bulk {
  readonly collection: string;
  readonly writes: readonly DocumentWrite[];
}

/** Saves documents that are newer than the stored ones. A failure may leave only some of them saved. @throws ServiceUnavailable, DiskFull */
export async function saveDocuments(
  connection: MongoConnection,
  collectionOf: (name: string) => Collection<StoredDocument>,
  writes: readonly DocumentWrite[],
): Promise<void> {
  const bulks = bulksOf(writes);
  const saveNext = async (): Promise<void> => {
    for (let bulk = bulks.shift(); bulk !== undefined; bulk = bulks.shift()) {
      await saveBulk(connection, collectionOf(bulk.collection), bulk.writes);
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: Math.min(CALLS, bulks.length) }, saveNext));
}

/** Upserts guarded by position. A taken id means a newer document, or a concurrent insert of an older one, so those writes are retried once. */
async function saveBulk(connection: MongoConnection, collection: Collection<StoredDocument>, writes: readonly DocumentWrite[]): Promise<void> {
  const send = (some: readonly DocumentWrite[], upsert: boolean): Promise<readonly DocumentWrite[]> =>
    connection.call(async (session) => {
      try {
        await collection.bulkWrite(
          some.map((write) => ({ replaceOne: { ...guarded(write), upsert } })),
          { ordered: false, session },
        );
        return [];
      } catch (error) {
        const taken = new Set(duplicatesIn(error));
        return some.filter((_, at) => taken.has(at));
      }
    });
  const taken = await send(writes, true);
  if (taken.length > 0) await send(taken, false);
}

const guarded = ({ id, position, body }: DocumentWrite) => ({
  filter: { _id: id, position: { $lt: position } },
  replacement: { position, ...(body === null ? { body } : packBody(body)) },
});

function bulksOf(writes: readonly DocumentWrite[]): Bulk[] {
  const bulks: Bulk[] = [];
  for (const [collection, newest] of newestOf(writes)) {
    let bulk: DocumentWrite[] = [];
    let weight = 0;
    for (const write of newest.values()) {
      const more = weightOf(write.body);
      if (bulk.length === 0 || bulk.length === MOST_WRITES || weight + more > MOST_WEIGHT) {
        bulk = [];
        weight = 0;
        bulks.push({ collection, writes: bulk });
      }
      bulk.push(write);
      weight += more;
    }
  }
  return bulks;
}

/** The newest write of each document by collection, because writes in a bulk are unordered. */
function newestOf(writes: readonly DocumentWrite[]): ReadonlyMap<string, ReadonlyMap<string, DocumentWrite>> {
  const collections = new Map<string, Map<string, DocumentWrite>>();
  for (const write of writes) {
    const newest = collections.get(write.collection) ?? new Map<string, DocumentWrite>();
    collections.set(write.collection, newest);
    const known = newest.get(write.id);
    if (known === undefined || known.position < write.position) newest.set(write.id, write);
  }
  return collections;
}
