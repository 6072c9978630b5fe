import type { Document } from '../documents/documents.js';
import { packBody, type PackedBody, packValue, unpackBody } from '../mongo/mongo-body.js';
import type { MongoConnection } from '../mongo/mongo-connection.js';
import { MongoRecords, type StoredRecord } from '../mongo/mongo-records.js';
import { OpenCalls } from '../mongo/open-calls.js';
import type { Vault, VaultCollection, VaultRange, VaultReadOptions, VaultRecord } from './vault.js';

const PREFIX = 'vault.';
const MAX_RESULTS = 1000;

interface StoredSecret extends StoredRecord, PackedBody {}
type Records = MongoRecords<StoredSecret>;

/** The vault in MongoDB. A write is acknowledged once a majority of members has it on disk, and every write compares the record's version. */
export class MongoVault implements Vault {
  readonly #collections = new Map<string, { readonly records: Records; readonly indexes: ReadonlySet<string> }>();
  readonly #calls = new OpenCalls();

  private constructor(private readonly connection: MongoConnection) {}

  /** The caller keeps ownership of the connection and closes it. */
  static async open({ connection }: { readonly connection: MongoConnection }): Promise<MongoVault> {
    return new MongoVault(connection);
  }

  async declare({ name, indexes = [] }: VaultCollection): Promise<void> {
    const fields = indexes.map((field) => ({ name: `by ${field}`, fields: [bodyPath(field), '_id'] }));
    await this.#calls.run(() => this.connection.ensure(PREFIX + name, fields));
    this.#collections.set(name, { records: new MongoRecords(this.connection, PREFIX + name), indexes: new Set(indexes) });
  }

  async get<Body extends Document>(collection: string, id: string, { isLinearizable = false }: VaultReadOptions = {}): Promise<VaultRecord<Body> | null> {
    const stored = await this.#in(collection, (records) => (isLinearizable ? records.getLinearizable(id) : records.get(id)));
    return stored === null ? null : recordOf<Body>(stored);
  }

  async insert(collection: string, id: string, body: Document): Promise<boolean> {
    return this.#in(collection, (records) => records.insert({ _id: id, ...packBody(body) }));
  }

  async replace(collection: string, id: string, version: number, body: Document): Promise<boolean> {
    return this.#in(collection, (records) => records.replace(version, { _id: id, ...packBody(body) }));
  }

  async put(collection: string, id: string, body: Document): Promise<void> {
    const packed = packBody(body);
    return this.#in(collection, (records) => records.change(id, () => ({ _id: id, ...packed })));
  }

  async remove(collection: string, id: string, version?: number): Promise<boolean> {
    return this.#in(collection, async (records) => {
      if (version !== undefined) return records.remove(id, version);
      for (let stored = await records.get(id); stored !== null; stored = await records.get(id)) {
        if (await records.remove(id, stored.version)) return true;
      }
      return false;
    });
  }

  async find<Body extends Document>(
    collection: string,
    {
      field,
      value,
      afterId = '',
      limit = MAX_RESULTS,
    }: { readonly field?: string; readonly value?: string | number; readonly afterId?: string; readonly limit?: number },
  ): Promise<readonly VaultRecord<Body>[]> {
    const cappedLimit = Math.min(limit, MAX_RESULTS);
    const found = await this.#in(collection, (records, indexes) => {
      const filter = { ...(field === undefined ? {} : matching(collection, indexes, { field, value })), _id: { $gt: afterId } };
      return records.find(filter, cappedLimit);
    });
    return found.map((each) => recordOf<Body>(each));
  }

  async range<Body extends Document>(collection: string, { field, from, to, limit = MAX_RESULTS }: VaultRange): Promise<readonly VaultRecord<Body>[]> {
    const found = await this.#in(collection, (records, indexes) => {
      mustBeIndexed(collection, indexes, field);
      const path = bodyPath(field);
      return records.find({ [path]: { $gte: packValue(from), $lte: packValue(to) } }, Math.min(limit, MAX_RESULTS), { [path]: 1, _id: 1 });
    });
    return found.map((each) => recordOf<Body>(each));
  }

  async removeWhere(collection: string, field: string, value: string | number): Promise<number> {
    return this.#in(collection, (records, indexes) => records.removeAll(matching(collection, indexes, { field, value }), MAX_RESULTS));
  }

  /**
   * Overwritten and removed values cannot be read through MongoDB once the write is acknowledged, so this only pings the server.
   * Its files, journal and oplog keep the bytes until they are overwritten; docs/real-servers.md describes what operators do about that.
   */
  async scrub(): Promise<void> {
    await this.#calls.run(() => this.connection.ping());
  }

  async close(): Promise<void> {
    await this.#calls.close();
  }

  #in<Answer>(collection: string, work: (records: Records, indexes: ReadonlySet<string>) => Promise<Answer>): Promise<Answer> {
    return this.#calls.run(async () => {
      const known = this.#collections.get(collection);
      if (known === undefined) throw new Error(`the collection ${collection} is not declared`);
      return work(known.records, known.indexes);
    });
  }
}

const bodyPath = (field: string): string => `body.${field}`;

function matching(
  collection: string,
  indexes: ReadonlySet<string>,
  { field, value }: { readonly field: string; readonly value: string | number | undefined },
): Readonly<Record<string, unknown>> {
  mustBeIndexed(collection, indexes, field);
  if (value === undefined) throw new Error(`${field} cannot be searched by this value`);
  return { [bodyPath(field)]: { $eq: packValue(value) } };
}

function mustBeIndexed(collection: string, indexes: ReadonlySet<string>, field: string): void {
  if (!indexes.has(field)) throw new Error(`${field} is not a declared index of ${collection}`);
}

const recordOf = <Body extends Document>({ _id, version, body, packed }: StoredSecret): VaultRecord<Body> => ({
  id: _id,
  version,
  body: unpackBody({ body, ...(packed === true ? { packed } : {}) }) as Body,
});
