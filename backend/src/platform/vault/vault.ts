import type { Document } from '../documents/documents.js';

/** A vault record with the version it was read at; a write names the version it replaces. An id never gets the same version twice, even after a removal. */
export interface VaultRecord<Body extends Document = Document> {
  readonly id: string;
  readonly version: number;
  readonly body: Body;
}

/** One kind of record: its name and its indexed body fields (dots reach into objects). Ids are unique within a collection. */
export interface VaultCollection {
  readonly name: string;
  readonly indexes?: readonly string[];
}

/** A range search on an indexed field. Both ends are numbers, or both are texts, compared by their UTF-8 bytes. */
export interface VaultRange {
  readonly field: string;
  readonly from: string | number;
  readonly to: string | number;
  readonly limit?: number;
}

/** `isLinearizable`: the answer is from a primary that a majority confirmed after the read began; a primary deposed without noticing cannot give it. */
export interface VaultReadOptions {
  readonly isLinearizable?: boolean;
}

/**
 * Stores data that cannot be rebuilt and must not be in the log: credentials, sessions, keys, uploads, reactor checkpoints, queued e-mails.
 * Every write is durable when it resolves. There are no transactions over several records: order writes so that a retry can complete
 * them after a crash. Using an undeclared collection or searching an undeclared field is an Error.
 * A record caused by an event has that event's position in a field `position`, so that a restore to an earlier log drops it.
 * A failed write throws DiskFull or ServiceUnavailable; after `close` everything throws ServiceUnavailable.
 */
export interface Vault {
  declare(collection: VaultCollection): Promise<void>;
  get<Body extends Document>(collection: string, id: string, options?: VaultReadOptions): Promise<VaultRecord<Body> | null>;
  /** False if the id is taken. Use it to reserve an id. */
  insert(collection: string, id: string, body: Document): Promise<boolean>;
  /** False if the record is gone or has another version. */
  replace(collection: string, id: string, version: number, body: Document): Promise<boolean>;
  /** Inserts or overwrites unconditionally. */
  put(collection: string, id: string, body: Document): Promise<void>;
  /** False if there was no record or, with a version, another version. */
  remove(collection: string, id: string, version?: number): Promise<boolean>;
  /** Records whose indexed field has the value, in id order, at most `limit` (1,000). Without a field: all, page by page with `afterId`. */
  find<Body extends Document>(
    collection: string,
    query: { readonly field?: string; readonly value?: string | number; readonly afterId?: string; readonly limit?: number },
  ): Promise<readonly VaultRecord<Body>[]>;
  /** Records whose indexed field lies from `from` to `to` (both included), ordered by the field and then by id, at most `limit` (1,000). */
  range<Body extends Document>(collection: string, query: VaultRange): Promise<readonly VaultRecord<Body>[]>;
  /** Removes every record whose indexed field has the value. @returns how many */
  removeWhere(collection: string, field: string, value: string | number): Promise<number>;
  /**
   * Resolves when overwritten and removed values can no longer be read from this store's files, as far as it controls them (the embedded store does; a
   * server's files are up to its operator).
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
