import { writeFileSync } from 'node:fs';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { rewriteDatabase } from '../sqlite/rewrite-database.js';
import { asStoreError } from '../sqlite/sqlite-errors.js';
import { SqliteWriter, type WriterPlace } from '../sqlite/sqlite-writer.js';
import { openForReading, type Statements } from '../sqlite/statements.js';
import { compiledWorker } from '../sqlite/worker-file.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { entriesOf } from './document-indexes.js';
import { damageMark, documentTable, type Indexes, readIndexes, writeIndexes } from './documents-file.js';
import type { DocumentOperations, PreparedWrite } from './documents-operations.js';
import {
  type CollectionSpec,
  type Document,
  type DocumentBatch,
  type DocumentStore,
  type DocumentWrite,
  Fenced,
  type FindQuery,
  type MatchQuery,
  type StoredMatch,
} from './documents.js';
import { findStatement, matchStatement } from './find-statement.js';
import { KnownDocuments } from './known-documents.js';

/** The store's file, and a callback for when an unusable file was dropped (the store then starts empty and is rebuilt from the log). */
export interface EmbeddedDocumentStoreOptions extends Omit<WriterPlace, 'worker'> {
  readonly onDropped?: (reason: string) => void;
}

interface Collection {
  readonly number: number;
  readonly indexes: Indexes;
  /** Whether its indexes have tables. */
  readonly isIndexed: boolean;
}

interface Row {
  readonly body: string | null;
  readonly position: number;
}

const NO_ROW: Row = { body: null, position: 0 };

/**
 * Read models in a SQLite file (`read.db`). A batch and its checkpoint are one transaction in a writer thread; reads use a separate connection.
 * A power cut may lose the last batches, each as a whole with its checkpoint, so they are simply projected again.
 */
export class EmbeddedDocumentStore implements DocumentStore {
  readonly savesAtomically = true;
  readonly #collections = new Map<string, Collection>();
  readonly #known = new KnownDocuments();
  #closed = false;

  private constructor(
    private readonly file: string,
    private readonly writer: SqliteWriter<DocumentOperations>,
    private readonly reader: Statements,
  ) {}

  /** @throws ServiceUnavailable, DiskFull */
  static async open({ onDropped, ...place }: EmbeddedDocumentStoreOptions): Promise<EmbeddedDocumentStore> {
    const { file } = place;
    const { writer, dropped } = await SqliteWriter.open<DocumentOperations>({ worker: compiledWorker(import.meta.url, 'documents-worker'), ...place });
    if (dropped !== null) onDropped?.(dropped);
    const store = new EmbeddedDocumentStore(file, writer, openForReading(file));
    const stored = store.reader.all<{ name: string; number: number; indexes: string }>('SELECT name, number, indexes FROM collections');
    for (const { name, number, indexes } of stored) store.#collections.set(name, { number, ...readIndexes(indexes) });
    return store;
  }

  async declare({ name, indexes, isLoading = false }: CollectionSpec): Promise<void> {
    const kinds = new Set(indexes.map(({ field, sort }) => JSON.stringify([field, sort !== undefined])));
    if (kinds.size < indexes.length) throw new Error(`${name} declares a field twice`);
    const declared = await this.#write(this.writer.call('declare', { name, indexes: writeIndexes(indexes, isLoading) }));
    this.reader.forget();
    this.#collections.set(name, { ...declared, indexes });
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const { number } = this.#collection(collection);
    const known = this.#known.get(number, id);
    return known === undefined ? this.#read(() => this.#known.decode(number, id, this.#row(collection, id)?.body ?? null)) : known;
  }

  async getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Document>> {
    const { number } = this.#collection(collection);
    const found = new Map<string, Document>();
    const note = (id: string, body: Document | null) => body !== null && found.set(id, body);
    const unknown: string[] = [];
    for (const id of ids) {
      const known = this.#known.get(number, id);
      if (known === undefined) unknown.push(id);
      else note(id, known);
    }
    this.#read(() => {
      // Cached documents are collected by now, because decoding these may evict them.
      const texts = this.#texts(number, unknown);
      for (const id of unknown) note(id, this.#known.decode(number, id, texts.get(id) ?? null));
    });
    return found;
  }

  known(collection: string, id: string): Document | null | undefined {
    const known = this.#collections.get(collection);
    return known === undefined || this.#closed ? undefined : this.#known.get(known.number, id);
  }

  async find(collection: string, query: FindQuery): Promise<readonly Document[]> {
    const { number, indexes } = await this.#indexed(collection);
    const { sql, values } = findStatement(number, indexes, query);
    return this.#read(() => this.reader.all<{ body: string }>(sql, ...values).map(({ body }) => JSON.parse(body) as Document));
  }

  async matches(collection: string, query: MatchQuery): Promise<readonly StoredMatch[]> {
    const { number, indexes } = await this.#indexed(collection);
    const { sql, values } = matchStatement(number, indexes, query);
    const rows = this.#read(() => this.reader.all<{ id: string; body: string; position: number }>(sql, ...values));
    return rows.map(({ id, body, position }) => ({ id, position, body: JSON.parse(body) as Document }));
  }

  async load(
    keys: readonly { readonly collection: string; readonly id: string }[],
  ): Promise<readonly { readonly body: Document | null; readonly position: Position }[]> {
    return this.#readTogether(keys.length, () =>
      keys.map(({ collection, id }) => {
        const { body, position } = this.#row(collection, id) ?? NO_ROW;
        return { body: body === null ? null : (JSON.parse(body) as Document), position };
      }),
    );
  }

  async save({ projector, checkpoint, writes }: DocumentBatch): Promise<void> {
    const prepared = writes.map((write) => this.#prepare(write));
    await this.#known.whileWritten(prepared, () => this.#write(this.writer.call('save', { projector, checkpoint, writes: prepared })));
  }

  async checkpoint(projector: string): Promise<Position> {
    return this.#read(() => this.#checkpoint(projector));
  }

  async checkpoints(projectors: readonly string[]): Promise<ReadonlyMap<string, Position>> {
    return this.#read(() => new Map(projectors.map((projector) => [projector, this.#checkpoint(projector)])));
  }

  async setFact(name: string, value: string, options?: { readonly fence: number }): Promise<void> {
    const isWritten = await this.#write(this.writer.call('setFact', { name, value, fence: options?.fence ?? null }));
    if (!isWritten) throw new Fenced(`${name} was written by a later lease holder`);
  }

  async fact(name: string): Promise<string | null> {
    return this.#read(() => this.reader.one<{ value: string }>('SELECT value FROM facts WHERE name=?', name)?.value ?? null);
  }

  async takeFact(name: string, { fence }: { readonly fence: number }): Promise<string | null> {
    const taken = await this.#write(this.writer.call('takeFact', { name, fence }));
    if (taken === 'fenced') throw new Fenced(`${name} was written by a later lease holder`);
    return taken.value;
  }

  async drop(collection: string, projector?: string): Promise<void> {
    this.#collections.delete(collection);
    await this.#write(this.writer.call('drop', { collection, projector: projector ?? null }));
    this.#known.clear();
    this.reader.forget();
  }

  async collections(): Promise<readonly string[]> {
    return this.#read(() => this.reader.all<{ name: string }>('SELECT name FROM collections ORDER BY name').map(({ name }) => name));
  }

  async scrub(): Promise<void> {
    if (this.#closed) throw new ServiceUnavailable('the store is closed');
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

  #collection(name: string): Collection {
    if (this.#closed) throw new ServiceUnavailable('the store is closed');
    const collection = this.#collections.get(name);
    if (!collection) throw new Error(`the collection ${name} is not declared`);
    return collection;
  }

  /** A collection whose indexes are built. */
  async #indexed(name: string): Promise<Collection> {
    const collection = this.#collection(name);
    if (!collection.isIndexed) await this.declare({ name, indexes: collection.indexes });
    return this.#collection(name);
  }

  #checkpoint(projector: string): Position {
    return this.reader.one<{ position: number }>('SELECT position FROM checkpoints WHERE projector=?', projector)?.position ?? 0;
  }

  #row(collection: string, id: string): Row | undefined {
    return this.reader.one<Row>(`SELECT body, position FROM ${documentTable(this.#collection(collection).number)} WHERE id=?`, id);
  }

  #texts(collection: number, ids: readonly string[]): ReadonlyMap<string, string> {
    if (ids.length === 0) return new Map();
    // One statement for all ids, because a call into SQLite costs more than a look-up.
    const asked = `SELECT doc.id, body FROM json_each(?) AS asked CROSS JOIN ${documentTable(collection)} AS doc ON doc.id=asked.value WHERE body IS NOT NULL`;
    return new Map(this.reader.all<{ id: string; body: string }>(asked, JSON.stringify(ids)).map(({ id, body }) => [id, body]));
  }

  #prepare({ collection, id, body, position, isNew = false }: DocumentWrite): PreparedWrite {
    const { number, indexes } = this.#collection(collection);
    return [number, id, position, body === null ? null : JSON.stringify(body), entriesOf(indexes, body), isNew];
  }

  #read<T>(work: () => T): T {
    if (this.#closed) throw new ServiceUnavailable('the store is closed');
    try {
      return work();
    } catch (error) {
      throw this.#noted(error instanceof SyntaxError ? new StoreDamaged('a document is not JSON', this.file, 0) : asStoreError(error, this.file));
    }
  }

  /** Rows are read twice as fast in one transaction, because each separate read locks and unlocks the database. */
  #readTogether<T>(rows: number, work: () => T): T {
    return this.#read(() => (rows > 1 ? this.reader.inOneRead(work) : work()));
  }

  async #write<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw this.#noted(asStoreError(error, this.file));
    }
  }

  /** A database damaged in use cannot be replaced under its readers, so the next start drops it. */
  #noted(error: Error): Error {
    if (error instanceof StoreDamaged) writeFileSync(damageMark(this.file), error.message);
    return error;
  }
}
