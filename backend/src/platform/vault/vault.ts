import type { Document } from '../documents/documents.js';

/** A vault record with the version it was read at; a write names the version it replaces. No version is given to an id twice, not even when it was removed in between. */
export interface VaultRecord<Body extends Document = Document> {
  readonly id: string;
  readonly version: number;
  readonly body: Body;
}

/** One kind of record: its name, and the body fields it may be searched by (dots reach into objects). Ids are unique within a collection. */
export interface VaultCollection {
  readonly name: string;
  readonly indexes?: readonly string[];
}

/** A search by the order of an indexed field. Both ends are numbers, or both are texts, which are compared by their UTF-8 bytes. */
export interface VaultRange {
  readonly field: string;
  readonly from: string | number;
  readonly to: string | number;
  readonly limit?: number;
}

/**
 * What cannot be rebuilt and must not be in the log: credentials, sessions, keys, uploads, reactor checkpoints, mail waiting.
 * Every write is durable when it resolves. There are no transactions over several records: order writes so that a crash between
 * two can be completed by the next try. Using a collection or searching a field that was not declared is an Error.
 * A record that follows from an event says its place in a field `position`: a restore from a backup, whose log ends before, drops it by that.
 * A failed write throws DiskFull or StoreAway; after `close` everything throws StoreAway.
 */
export interface Vault {
  declare(collection: VaultCollection): Promise<void>;
  get<Body extends Document>(collection: string, id: string): Promise<VaultRecord<Body> | null>;
  /** False when the id is taken: the way to reserve something. */
  insert(collection: string, id: string, body: Document): Promise<boolean>;
  /** False when the record is gone or has another version by now. */
  replace(collection: string, id: string, version: number, body: Document): Promise<boolean>;
  /** Inserts or overwrites, whatever was there. */
  put(collection: string, id: string, body: Document): Promise<void>;
  /** False when there was none, or (with a version) another version. */
  remove(collection: string, id: string, version?: number): Promise<boolean>;
  /** Records whose indexed field has the value, in id order, at most `limit` (1,000). Without a field: all, page by page with `afterId`. */
  find<Body extends Document>(
    collection: string,
    query: { readonly field?: string; readonly value?: string | number; readonly afterId?: string; readonly limit?: number },
  ): Promise<readonly VaultRecord<Body>[]>;
  /** Records whose indexed field lies from `from` to `to` (both included), ordered by the field and then by id, at most `limit` (1,000). */
  range<Body extends Document>(collection: string, query: VaultRange): Promise<readonly VaultRecord<Body>[]>;
  /** Removes every record whose indexed field has the value; says how many. */
  removeWhere(collection: string, field: string, value: string | number): Promise<number>;
  /**
   * Resolves when nothing that was overwritten or removed so far can be read from this store's files any more, as far as the store has its files in its own
   * hands (the embedded one has; a server's are its operator's).
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
