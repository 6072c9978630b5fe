import type { Collection } from 'mongodb';
import type { MongoConnection } from '../mongo/mongo-connection.js';
import type { StoredDocument } from './mongo-save.js';

/** As many documents are asked for at a time. */
const MOST_IDS = 1_000;
/** Who asks for more does so alone: the others need not wait for all of that. */
const FEW_IDS = 20;

/** Documents by their ids, as they are stored. */
export type StoredById = ReadonlyMap<string, StoredDocument>;

interface Asked {
  readonly ids: readonly string[];
  readonly answer: (stored: StoredById) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Reads by id, which share a round trip when they ask for the same collection in the same turn of the event loop: each begins after everybody had asked, so
 * nothing is answered from before. Nobody gets an object that somebody else has too.
 */
export class MongoSharedReads {
  readonly #asked = new Map<string, Asked[]>();

  /** @param collectionOf throws for what is not declared */
  constructor(
    private readonly connection: MongoConnection,
    private readonly collectionOf: (name: string) => Collection<StoredDocument>,
  ) {}

  /** Those that exist. @throws StoreAway */
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

/** What one of several asked for; `given` are the ids that others of them have got. */
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
