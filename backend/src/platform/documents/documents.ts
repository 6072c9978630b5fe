import type { Position } from '@roughmix/contracts/shared/ids.js';

/** A read model's document: plain JSON, stored under an id. Treat it as immutable, because instances are shared. */
export type Document = Readonly<Record<string, unknown>>;

/** A collection as declared by a projector. `indexes` name the searchable fields; a list field is found by each of its members. */
export interface CollectionSpec {
  readonly name: string;
  /**
   * Each index has one field to match and optionally one number or text field to sort by. Dots reach into objects, and into each object of a list.
   * A field may be declared once without a sort and once with one, but not with two.
   */
  readonly indexes: readonly { readonly field: string; readonly sort?: string }[];
  /**
   * True during a bulk load: a store may defer building the indexes of a new collection until it is declared without this, or searched. Existing indexes are
   * kept up to date.
   */
  readonly isLoading?: boolean;
}

/** A projector's change to a document: the new body, or null to remove it (kept as a tombstone with its position). */
export interface DocumentWrite {
  readonly collection: string;
  readonly id: string;
  readonly body: Document | null;
  /** The position of the causing event. A write that is not newer than the stored position changes nothing. */
  readonly position: Position;
  /** A hint that the id probably does not exist, which saves a look-up. It may be wrong. */
  readonly isNew?: boolean;
}

/**
 * A projector's batch: the writes and the resulting checkpoint. A crash leaves a consistent prefix. Only {@link DocumentStore.drop} sets a checkpoint
 * back, so a late save by a former lease holder undoes nothing.
 */
export interface DocumentBatch {
  readonly projector: string;
  readonly checkpoint: Position;
  readonly writes: readonly DocumentWrite[];
}

export interface FindQuery {
  /** A declared index field and the value it must have or, for a list, contain. */
  readonly where: { readonly field: string; readonly value: string | number | boolean };
  /**
   * By the declared sort of that index: documents without the field, then numbers, then text by its UTF-8 bytes, and equal ones by id; descending
   * reverses all of it. Without a sort, ascending by id.
   */
  readonly sort?: 'ascending' | 'descending';
  /** Continues after this document, the last of the previous page: its id and, in a sorted query, its sort value (null if it has none). */
  readonly after?: { readonly id: string; readonly sort?: string | number | null };
  /** Default 100, at most 1,000. */
  readonly limit?: number;
}

/** A document found by an index, and the position of its last write. */
export interface StoredMatch {
  readonly id: string;
  readonly body: Document;
  readonly position: Position;
}

/** A page of index matches: at most `limit` after the id `after`, in id order. */
export interface MatchQuery extends Pick<FindQuery, 'where'> {
  readonly after?: string;
  /** At most 1,000. */
  readonly limit: number;
}

/** The fact was written by a later lease holder, so this process has lost its lease and must stop. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * The store of the read models. Everything in it can be deleted and rebuilt from the log.
 * Collection names are physical ones (`regions_v1`), which the projection runner derives from a projector's names and version.
 * Using an undeclared collection is an Error; after `close` everything throws ServiceUnavailable.
 */
export interface DocumentStore {
  /** Whether batches are atomic. */
  readonly savesAtomically: boolean;
  /** Creates a collection and its indexes if missing. Idempotent. */
  declare(spec: CollectionSpec): Promise<void>;
  get(collection: string, id: string): Promise<Document | null>;
  /** The existing ones, by id. */
  getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Document>>;
  /**
   * The cached result of {@link get}, if it is certainly current: the same object while it is, null if the document does not exist, undefined if unknown.
   * Always undefined for stores that other processes write to.
   */
  known(collection: string, id: string): Document | null | undefined;
  /** @throws Error when the field or the sort is not a declared index, so that no query scans everything unnoticed */
  find(collection: string, query: FindQuery): Promise<readonly Document[]>;
  /** For a projector's fold: index matches with positions. @throws Error when the field is not a declared index */
  matches(collection: string, query: MatchQuery): Promise<readonly StoredMatch[]>;
  /** For a projector's fold: stored bodies (null for tombstones) with the positions of their last writes. */
  load(
    keys: readonly { readonly collection: string; readonly id: string }[],
  ): Promise<readonly { readonly body: Document | null; readonly position: Position }[]>;
  /** Visible to every read that starts after this resolves. @throws DiskFull, ServiceUnavailable: nothing is saved, or a prefix that a retry completes */
  save(batch: DocumentBatch): Promise<void>;
  /** A projector's checkpoint, 0 before its first batch. */
  checkpoint(projector: string): Promise<Position>;
  /** The checkpoints of several projectors in one round trip, for processes that wait for another one's projections. */
  checkpoints(projectors: readonly string[]): Promise<ReadonlyMap<string, Position>>;
  /**
   * Small facts of the projection runner (the served version, the source log). With a `fence` (a lease's number, which grows with each holder) the fact
   * keeps the highest fence it was written with; without one the value is written and the fence unchanged.
   * @throws Fenced, changing nothing, when the fact was written with a higher fence
   */
  setFact(name: string, value: string, options?: { readonly fence: number }): Promise<void>;
  fact(name: string): Promise<string | null>;
  /**
   * Raises a fact's fence and returns its value. Later writes with a lower fence are refused, so no former lease holder can change the value after this read.
   * @throws Fenced when the fact was written with a higher fence
   */
  takeFact(name: string, options: { readonly fence: number }): Promise<string | null>;
  /** Drops a collection and, if named, a projector's checkpoint. In a shared store a save in progress elsewhere may recreate it. */
  drop(collection: string, projector?: string): Promise<void>;
  /** Every existing collection, sorted by name, so that those of no generation can be dropped. */
  collections(): Promise<readonly string[]>;
  /**
   * Resolves when overwritten and removed values can no longer be read from this store's files, as far as it controls them (the embedded store does; a
   * server's files are up to its operator).
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
