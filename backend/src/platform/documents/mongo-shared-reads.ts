import type { Collection } from 'mongodb';
import type { MongoConnection } from '../mongo/mongo-connection.js';
import type { StoredDocument } from './mongo-save.js';

/** The maximum number of ids per call. */
const MOST_IDS = 1_000;
/** Larger reads get their own call, so that small ones need not wait for them. */
const FEW_IDS = 20;

/** Stored documents by id. */
export type StoredById = ReadonlyMap<string, StoredDocument>;

interface Asked {
  readonly ids: readonly string[];
  readonly answer: (stored: StoredById) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Batches reads by id of the same collection in one turn of the event loop into one round trip. The round trip starts after all of them, so no result is
 * stale. Callers do not share objects.
 */
export class MongoSharedReads {
  readonly #asked = new Map<string, Asked[]>();

  /** @param collectionOf throws for undeclared collections */
  constructor(
    private readonly connection: MongoConnection,
    private readonly collectionOf: (name: string) => Collection<StoredDocument>,
  ) {}

  /** The existing ones. @throws ServiceUnavailable */
  async byId(collection: string, ids: readonly string[]): Promise<StoredById> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    if (wanted.length > FEW_IDS) return this.#read(collection, wanted);
    return new Promise((answer, fail) => {
      const asked = this.#asked.get(collection);
      if (asked !== undefined && asked.reduce((sum, each) => sum + each.ids.length, wanted.length) <= MOST_IDS) {
        asked.push({ ids: wanted, answer, fail });
        return;
      }
      const first = [{ ids: wanted, answer, fail }];
      this.#asked.set(collection, first);
      setImmediate(() => {
        if (this.#asked.get(collection) === first) this.#asked.delete(collection);
        void this.#readTogether(collection, first);
      });
    });
  }

  async #readTogether(collection: string, asked: readonly Asked[]): Promise<void> {
    try {
      const stored = await this.#read(collection, [...new Set(asked.flatMap(({ ids }) => ids))]);
      const given = new Set<string>();
      for (const { ids, answer } of asked) answer(partOf(stored, ids, given));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }

  async #read(collection: string, ids: readonly string[]): Promise<StoredById> {
    const found = new Map<string, StoredDocument>();
    for (let at = 0; at < ids.length; at += MOST_IDS) {
      const page = ids.slice(at, at + MOST_IDS);
      const stored = await this.connection.call((session) =>
        this.collectionOf(collection)
          .find({ _id: { $in: page } }, { batchSize: page.length + 1, session })
          .toArray(),
      );
      for (const each of stored) found.set(each._id, each);
    }
    return found;
  }
}

/** One caller's part of a shared result; `given` are the ids whose objects other callers already got. */
function partOf(stored: StoredById, ids: readonly string[], given: Set<string>): StoredById {
  const part = new Map<string, StoredDocument>();
  for (const id of ids) {
    const each = stored.get(id);
    if (each === undefined) continue;
    part.set(id, given.has(id) ? structuredClone(each) : each);
    given.add(id);
  }
  return part;
}
