import type { Position } from '@roughmix/contracts/shared/ids.js';

/** A read model's document: plain JSON with the id it is stored under. Nobody changes one that was given to them: others may hold it. */
export type Document = Readonly<Record<string, unknown>>;

/** A collection as a projector declares it. `indexes` name the fields that may be searched; a field that holds a list is found by each of its members. */
export interface CollectionSpec {
  readonly name: string;
  /**
   * Each index: one field to match, and optionally one numeric or text field to sort by. Dots reach into objects, and into each object of a list.
   * A field may be declared once without a sort and once with one, not with two.
   */
  readonly indexes: readonly { readonly field: string; readonly sort?: string }[];
  /**
   * True while documents are loaded in bulk: a store may leave the indexes of a new collection until it is declared without this, or searched. Indexes that
   * are complete stay so.
   */
  readonly isLoading?: boolean;
}

/** One change to a document, computed by a projector: the new body, or null for a removal (kept as a tombstone with its position). */
export interface DocumentWrite {
  readonly collection: string;
  readonly id: string;
  readonly body: Document | null;
  /** The position of the event that made it. An older or equal position than the stored one changes nothing. */
  readonly position: Position;
  /** True when nothing is likely to be stored under this id: a hint that saves a look-up, whatever turns out to be there. */
  readonly isNew?: boolean;
}

/**
 * A batch of one projector: the writes, and the checkpoint they bring it to. Saved so that a crash leaves a consistent prefix. A checkpoint never goes back
 * but by {@link DocumentStore.drop}: who saves late, having lost its turn to another process, takes nothing from that one.
 */
export interface DocumentBatch {
  readonly projector: string;
  readonly checkpoint: Position;
  readonly writes: readonly DocumentWrite[];
}

export interface FindQuery {
  /** A declared index field and the value it must have (or, for a list, hold). */
  readonly where: { readonly field: string; readonly value: string | number | boolean };
  /**
   * By the declared sort of that index: documents without the field, then numbers, then text by its UTF-8 octets; equals by id, turned round together
   * with the rest. Without it the order is by id, ascending.
   */
  readonly sort?: 'ascending' | 'descending';
  /** Goes on behind this document (the last of the page before), in the order asked: its id and, in a sorted query, what it is sorted by (null when it has none). */
  readonly after?: { readonly id: string; readonly sort?: string | number | null };
  /** At most this many, 100 when missing, never over 1,000. */
  readonly limit?: number;
}

/** A document that an index finds, with the position that it last saw. */
export interface StoredMatch {
  readonly id: string;
  readonly body: Document;
  readonly position: Position;
}

/** Asks for what an index finds, page by page: at most `limit` behind the id `after`, ordered by id. */
export interface MatchQuery extends Pick<FindQuery, 'where'> {
  readonly after?: string;
  /** Never over 1,000. */
  readonly limit: number;
}

/** A fact was written by a process that took over since: whoever meets this works on an old lease and must stop. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * Where read models live. Everything in it can be deleted and rebuilt from the log.
 * Collection names given here are the physical ones (`regions_v1`); the projection runner maps a projector's names and version to them.
 * Using a collection that was not declared is an Error; after `close` everything throws StoreAway.
 */
export interface DocumentStore {
  /** Whether a batch is saved whole or not at all, whatever breaks off. */
  readonly savesWhole: boolean;
  /** Makes sure a collection and its indexes exist. Repeating it does nothing. */
  declare(spec: CollectionSpec): Promise<void>;
  get(collection: string, id: string): Promise<Document | null>;
  /** Those that exist, by id. */
  getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Document>>;
  /**
   * What {@link get} would give now, if that is in memory here and nothing newer may be stored: the same object for as long as that is so, null when there is
   * none. Undefined says nothing. A store that others write too knows nothing.
   */
  known(collection: string, id: string): Document | null | undefined;
  /** @throws Error when the field, or the sort, is not a declared index: a full scan is never silent. */
  find(collection: string, query: FindQuery): Promise<readonly Document[]>;
  /** For a projector's fold: what the index of a field finds, with positions. @throws Error when the field is not a declared index */
  matches(collection: string, query: MatchQuery): Promise<readonly StoredMatch[]>;
  /** Stored bodies with the positions they last saw, tombstones as null, for a projector's fold. */
  load(
    keys: readonly { readonly collection: string; readonly id: string }[],
  ): Promise<readonly { readonly body: Document | null; readonly position: Position }[]>;
  /** What was saved is seen by every read that starts after this resolves. @throws DiskFull, StoreAway: nothing of it, or a prefix that saving again completes */
  save(batch: DocumentBatch): Promise<void>;
  /** Where a projector stands, 0 before its first batch. */
  checkpoint(projector: string): Promise<Position>;
  /** Where each of these stands, in one round trip: for processes that project nothing and wait for one that does. */
  checkpoints(projectors: readonly string[]): Promise<ReadonlyMap<string, Position>>;
  /**
   * Small facts of the runner itself (which version is served, which log this was built from). With a `fence` (the number of a lease, which grows from
   * holder to holder) the fact keeps the highest it was written with; without one the value is written and the fence stays.
   * @throws Fenced when the fact was written with a higher fence: nothing is changed
   */
  setFact(name: string, value: string, options?: { readonly fence: number }): Promise<void>;
  fact(name: string): Promise<string | null>;
  /**
   * The value of a fact, read under a fence: what is written with a lower one afterwards is refused, so nothing of a former holder comes after what is read here.
   * @throws Fenced when the fact was written with a higher fence
   */
  takeFact(name: string, options: { readonly fence: number }): Promise<string | null>;
  /** Drops a collection and, if named, a projector's checkpoint. Where several processes share the store, a save under way elsewhere may make it anew. */
  drop(collection: string, projector?: string): Promise<void>;
  /** Every collection that is there, in the order of names, whoever declared or wrote it: what belongs to no generation may be dropped. */
  collections(): Promise<readonly string[]>;
  /**
   * Resolves when nothing that was overwritten or removed so far can be read from this store's files any more, as far as the store has its files in its own
   * hands (the embedded one has; a server's are its operator's).
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
