import type { Document } from '../documents/documents.js';
import { rewriteDatabase } from '../sqlite/rewrite-database.js';
import { indexKey, type IndexKey } from '../sqlite/index-entries.js';
import { asStoreError } from '../sqlite/sqlite-errors.js';
import { SqliteWriter, type WriterPlace } from '../sqlite/sqlite-writer.js';
import { openForReading, type Statements } from '../sqlite/statements.js';
import { compiledWorker } from '../sqlite/worker-file.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { VaultOperations } from './vault-operations.js';
import type { Vault, VaultCollection, VaultRange, VaultRecord } from './vault.js';

const MAX_RESULTS = 1000;

interface Row {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

/** The vault in a SQLite file (`vault.db`). Concurrent writes share one flush to disk, in a separate thread. */
export class EmbeddedVault implements Vault {
  readonly #collections = new Map<string, ReadonlySet<string>>();
  #closed = false;

  private constructor(
    private readonly file: string,
    private readonly writer: SqliteWriter<VaultOperations>,
    private readonly reader: Statements,
  ) {}

  /** @throws StoreDamaged without changing anything; ServiceUnavailable, DiskFull */
  static async open(place: Omit<WriterPlace, 'worker'>): Promise<EmbeddedVault> {
    const { writer } = await SqliteWriter.open<VaultOperations>({ worker: compiledWorker(import.meta.url, 'vault-worker'), ...place });
    return new EmbeddedVault(place.file, writer, openForReading(place.file));
  }

  async declare({ name, indexes = [] }: VaultCollection): Promise<void> {
    await this.writer.call('declare', { name, indexes });
    this.#collections.set(name, new Set(indexes));
  }

  async get<Body extends Document>(collection: string, id: string): Promise<VaultRecord<Body> | null> {
    this.#indexesOf(collection);
    const row = this.#read(() => this.reader.one<Row>('SELECT id, version, body FROM records WHERE collection=? AND id=?', collection, id));
    return row ? recordOf<Body>(row) : null;
  }

  async insert(collection: string, id: string, body: Document): Promise<boolean> {
    this.#indexesOf(collection);
    return this.writer.call('insert', { collection, id, body: JSON.stringify(body) });
  }

  async replace(collection: string, id: string, version: number, body: Document): Promise<boolean> {
    this.#indexesOf(collection);
    return this.writer.call('replace', { collection, id, version, body: JSON.stringify(body) });
  }

  async put(collection: string, id: string, body: Document): Promise<void> {
    this.#indexesOf(collection);
    return this.writer.call('put', { collection, id, body: JSON.stringify(body) });
  }

  async remove(collection: string, id: string, version?: number): Promise<boolean> {
    this.#indexesOf(collection);
    return this.writer.call('remove', { collection, id, version: version ?? null });
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
    if (field === undefined) {
      this.#indexesOf(collection);
      return this.#read(() =>
        this.reader
          .all<Row>('SELECT id, version, body FROM records WHERE collection=? AND id > ? ORDER BY id LIMIT ?', collection, afterId, cappedLimit)
          .map(recordOf<Body>),
      );
    }
    const key = this.#key(collection, field, value);
    const sql =
      'SELECT r.id, r.version, r.body FROM entries e CROSS JOIN records r ON r.rec = e.rec WHERE e.collection=? AND e.field=? AND e.key=? AND e.id > ? ORDER BY e.id LIMIT ?';
    return this.#read(() => this.reader.all<Row>(sql, collection, field, key, afterId, cappedLimit).map(recordOf<Body>));
  }

  async range<Body extends Document>(collection: string, { field, from, to, limit = MAX_RESULTS }: VaultRange): Promise<readonly VaultRecord<Body>[]> {
    const [first, last] = [this.#key(collection, field, from), this.#key(collection, field, to)];
    const sql =
      'SELECT r.id, r.version, r.body FROM entries e CROSS JOIN records r ON r.rec = e.rec WHERE e.collection=? AND e.field=? AND e.key>=? AND e.key<=? ORDER BY e.key, e.id LIMIT ?';
    return this.#read(() => this.reader.all<Row>(sql, collection, field, first, last, Math.min(limit, MAX_RESULTS)).map(recordOf<Body>));
  }

  async removeWhere(collection: string, field: string, value: string | number): Promise<number> {
    return this.writer.call('removeWhere', { collection, field, key: this.#key(collection, field, value) });
  }

  async scrub(): Promise<void> {
    if (this.#closed) throw new ServiceUnavailable('the vault is closed');
    await rewriteDatabase(this.file);
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.reader.forget();
      this.reader.db.close();
    }
    await this.writer.close();
  }

  #key(collection: string, field: string, value: unknown): IndexKey {
    if (!this.#indexesOf(collection).has(field)) throw new Error(`${field} is not a declared index of ${collection}`);
    const key = indexKey(value);
    if (key === null) throw new Error(`${field} cannot be searched by this value`);
    return key;
  }

  #indexesOf(collection: string): ReadonlySet<string> {
    if (this.#closed) throw new ServiceUnavailable('the vault is closed');
    const indexes = this.#collections.get(collection);
    if (!indexes) throw new Error(`the collection ${collection} is not declared`);
    return indexes;
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asStoreError(error, this.file);
    }
  }
}

const recordOf = <Body extends Document>({ id, version, body }: Row): VaultRecord<Body> => ({ id, version, body: JSON.parse(body) as Body });
