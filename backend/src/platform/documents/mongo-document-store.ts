import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Collection } from 'mongodb';
import { unpackBody } from '../mongo/mongo-body.js';
import type { MongoConnection, MongoIndex } from '../mongo/mongo-connection.js';
import { MongoRecords, type StoredRecord } from '../mongo/mongo-records.js';
import { OpenCalls } from '../mongo/open-calls.js';
import {
  type CollectionSpec,
  type Document,
  type DocumentBatch,
  type DocumentStore,
  Fenced,
  type FindQuery,
  type MatchQuery,
  type StoredMatch,
} from './documents.js';
import { bodyPath, mongoSearch } from './mongo-find.js';
import type { StoredDocument } from './mongo-save.js';
import { MongoSharedReads } from './mongo-shared-reads.js';
import { MongoSharedSaves, type StoredCheckpoint } from './mongo-shared-saves.js';

/** Prefix of the documents' collections. */
const DOCUMENTS = 'read.docs.';
const CHECKPOINTS = 'read.checkpoints';
const FACTS = 'read.facts';

interface StoredFact extends StoredRecord {
  /** Null if only its fence was raised. */
  readonly value: string | null;
  readonly fence?: number;
}

type Indexes = CollectionSpec['indexes'];
type Key = Parameters<DocumentStore['load']>[0][number];

/**
 * Read models in MongoDB, without transactions: a batch writes its documents first, each guarded by its position, and then its checkpoint, so that a retry
 * completes an interrupted batch. Writes are acknowledged once a majority has them on disk, and reads see all acknowledged writes.
 */
export class MongoDocumentStore implements DocumentStore {
  readonly savesAtomically = false;
  readonly #collections = new Map<string, Indexes>();
  readonly #calls = new OpenCalls();
  readonly #facts: MongoRecords<StoredFact>;
  readonly #reads: MongoSharedReads;
  readonly #sharedSaves: MongoSharedSaves;
  /** Each projector's last save. */
  readonly #saves = new Map<string, Promise<void>>();

  private constructor(private readonly connection: MongoConnection) {
    const collectionOf = (name: string): Collection<StoredDocument> => this.#collection(name);
    this.#facts = new MongoRecords(connection, FACTS);
    this.#reads = new MongoSharedReads(connection, collectionOf);
    this.#sharedSaves = new MongoSharedSaves({ connection, collectionOf, checkpoints: () => this.#checkpoints });
  }

  /** The caller keeps ownership of the connection and closes it. */
  static async open({ connection }: { readonly connection: MongoConnection }): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(connection);
  }

  async declare({ name, indexes }: CollectionSpec): Promise<void> {
    const kinds = new Set(indexes.map(({ field, sort }) => JSON.stringify([field, sort !== undefined])));
    if (kinds.size < indexes.length) throw new Error(`${name} declares a field twice`);
    await this.#calls.run(() => this.connection.ensure(DOCUMENTS + name, indexes.map(mongoIndex)));
    this.#collections.set(name, indexes);
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const stored = (await this.#calls.run(() => this.#byId(collection, [id]))).get(id);
    return stored === undefined ? null : bodyOf(stored);
  }

  async getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Document>> {
    const stored = await this.#calls.run(() => this.#byId(collection, ids));
    const found = new Map<string, Document>();
    for (const [id, each] of stored) {
      const body = bodyOf(each);
      if (body !== null) found.set(id, body);
    }
    return found;
  }

  /** Always undefined, because other processes write to this store too. */
  known(): undefined {
    return undefined;
  }

  async find(collection: string, query: FindQuery): Promise<readonly Document[]> {
    return (await this.#found(collection, query)).map(bodyOf).filter((body) => body !== null);
  }

  async matches(collection: string, { where, after, limit }: MatchQuery): Promise<readonly StoredMatch[]> {
    const found = await this.#found(collection, { where, limit, ...(after === undefined ? {} : { after: { id: after } }) });
    return found.flatMap((stored) => {
      const body = bodyOf(stored);
      return body === null ? [] : [{ id: stored._id, body, position: stored.position }];
    });
  }

  async load(keys: readonly Key[]): Promise<readonly { readonly body: Document | null; readonly position: Position }[]> {
    return this.#calls.run(async () => {
      const collections = [...new Set(keys.map(({ collection }) => collection))];
      const loaded = await Promise.all(
        collections.map(async (collection) => {
          const ids = keys.filter((key) => key.collection === collection).map(({ id }) => id);
          return [collection, await this.#byId(collection, ids)] as const;
        }),
      );
      const stored = new Map(loaded);
      return keys.map(({ collection, id }) => {
        const each = stored.get(collection)?.get(id);
        return { body: each === undefined ? null : bodyOf(each), position: each?.position ?? 0 };
      });
    });
  }

  /** Saves the batches of one projector in call order, so that a checkpoint never gets ahead of the documents. */
  async save(batch: DocumentBatch): Promise<void> {
    return this.#calls.run(async () => {
      for (const { collection } of batch.writes) this.#collection(collection);
      const saved = (this.#saves.get(batch.projector) ?? Promise.resolve()).then(() => this.#sharedSaves.save(batch));
      const settled = saved.catch(() => undefined);
      this.#saves.set(batch.projector, settled);
      await saved;
      if (this.#saves.get(batch.projector) === settled) this.#saves.delete(batch.projector);
    });
  }

  async checkpoint(projector: string): Promise<Position> {
    return (await this.checkpoints([projector])).get(projector) ?? 0;
  }

  async checkpoints(projectors: readonly string[]): Promise<ReadonlyMap<string, Position>> {
    const ids = [...new Set(projectors)];
    const stored = await this.#calls.run(() =>
      this.connection.call((session) => this.#checkpoints.find({ _id: { $in: ids } }, { batchSize: ids.length + 1, session }).toArray()),
    );
    const found = new Map(stored.map(({ _id, position }) => [_id, position]));
    return new Map(ids.map((id) => [id, found.get(id) ?? 0]));
  }

  async setFact(name: string, value: string, options?: { readonly fence: number }): Promise<void> {
    await this.#changeFact(name, options?.fence, () => value);
  }

  async takeFact(name: string, { fence }: { readonly fence: number }): Promise<string | null> {
    let taken: string | null = null;
    await this.#changeFact(name, fence, (stored) => {
      taken = stored;
      return stored;
    });
    return taken;
  }

  async fact(name: string): Promise<string | null> {
    return (await this.#calls.run(() => this.#facts.get(name)))?.value ?? null;
  }

  /** Removes the checkpoint first. If interrupted, the projector starts over on the existing documents, which their positions allow. */
  async drop(collection: string, projector?: string): Promise<void> {
    this.#collections.delete(collection);
    await this.#calls.run(async () => {
      if (projector !== undefined) await this.connection.call((session) => this.#checkpoints.deleteOne({ _id: projector }, { session }));
      await this.connection.drop(DOCUMENTS + collection);
    });
  }

  async collections(): Promise<readonly string[]> {
    const names = await this.#calls.run(() => this.connection.names(DOCUMENTS));
    return names.map((name) => name.slice(DOCUMENTS.length));
  }

  /**
   * Overwritten and removed values cannot be read through MongoDB once the write is acknowledged, so this only pings the server.
   * Its files, journal and oplog keep the bytes until they are overwritten; docs/real-servers.md describes what operators do about that.
   */
  async scrub(): Promise<void> {
    await this.#calls.run(() => this.connection.ping());
  }

  /** Waits for calls in progress. */
  async close(): Promise<void> {
    await this.#calls.close();
  }

  #found(collection: string, query: FindQuery): Promise<readonly StoredDocument[]> {
    return this.#calls.run(async () => {
      const documents = this.#collection(collection);
      const { filter, sort, limit } = mongoSearch(this.#collections.get(collection) ?? [], query);
      if (limit <= 0) return [];
      return this.connection.call((session) => documents.find(filter, { sort, limit, batchSize: limit + 1, session }).toArray());
    });
  }

  async #byId(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    this.#collection(collection);
    return this.#reads.byId(collection, ids);
  }

  #collection(name: string): Collection<StoredDocument> {
    if (!this.#collections.has(name)) throw new Error(`the collection ${name} is not declared`);
    return this.connection.collection<StoredDocument>(DOCUMENTS + name);
  }

  async #changeFact(name: string, given: number | undefined, change: (stored: string | null) => string | null): Promise<void> {
    await this.#calls.run(() =>
      this.#facts.change(name, (stored) => {
        if (given !== undefined && stored?.fence !== undefined && given < stored.fence) throw new Fenced(`${name} was written by a later lease holder`);
        const fence = given ?? stored?.fence;
        return { _id: name, value: change(stored?.value ?? null), ...(fence === undefined ? {} : { fence }) };
      }),
    );
  }

  get #checkpoints(): Collection<StoredCheckpoint> {
    return this.connection.collection<StoredCheckpoint>(CHECKPOINTS);
  }
}

/** The name is derived from the fields, so declaring it again yields the same index. The id at the end orders equal values. */
const mongoIndex = ({ field, sort }: Indexes[number]): MongoIndex => ({
  name: sort === undefined ? `by ${field}` : `by ${field}, ${sort}`,
  fields: [bodyPath(field), ...(sort === undefined ? [] : [bodyPath(sort)]), '_id'],
});

const bodyOf = ({ body, packed }: StoredDocument): Document | null => (body === null ? null : unpackBody({ body, ...(packed === true ? { packed } : {}) }));
