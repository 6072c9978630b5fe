import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Body, DocumentChange, FoundDocument } from '../../kernel/projector.js';
import type { DocumentStore, DocumentWrite, StoredMatch } from '../documents/documents.js';
import { indexEntry, indexKey } from '../sqlite/index-entries.js';

/** A document in memory with the changes of a batch so far. */
export interface BatchDocument {
  readonly collection: string;
  readonly id: string;
  body: Body | null;
  position: Position;
  changed: boolean;
  /** Whether the body was loaded or derived from a loaded one. A document whose first change replaces it entirely need not be loaded. */
  isKnown: boolean;
  /** Whether the store has no such document, as far as is known. */
  isNew: boolean;
}

/** A search by an indexed field. */
export interface Search {
  readonly collection: string;
  readonly field: string;
  readonly value: string | number | boolean;
}

/** How many documents are loaded before yielding to the event loop. */
const LOAD_PAGE = 1_000;
/** How many changes of one event are applied before yielding to the event loop. */
const CHANGES_PER_TURN = 500;
/** How many documents a search reads from the store at a time. */
const SEARCH_PAGE = 1_000;

/** The documents that a batch touches, in memory until they are saved together. */
export class BatchDocuments {
  private readonly collections = new Map<string, { readonly physical: string; readonly documents: Map<string, BatchDocument> }>();
  private missing: BatchDocument[] = [];
  /** How many documents have changed, by physical collection name. */
  private readonly changed = new Map<string, number>();
  /** The store's results of earlier searches. All changes since are in this batch or the previous one. */
  private readonly searched = new Map<string, readonly StoredMatch[]>();

  /**
   * @param physical returns the name under which a collection is stored
   * @param previous the documents of the previous batch, saved or about to be: they are not loaded again
   */
  constructor(
    private readonly physical: (collection: string) => string,
    private previous: BatchDocuments | null,
  ) {}

  get size(): number {
    let size = 0;
    for (const changed of this.changed.values()) size += changed;
    return size;
  }

  /** How many documents of a collection have changed in this batch and the previous one. */
  changesIn(collection: string): number {
    const physical = this.physical(collection);
    return (this.changed.get(physical) ?? 0) + (this.previous?.changed.get(physical) ?? 0);
  }

  /**
   * Announces that a document will be changed. If its first change replaces it entirely, it need not be loaded: all its later changes are in this batch
   * too, and the store ignores a write that is older than what it has.
   */
  want({ collection, id, isWhole }: Pick<DocumentChange, 'collection' | 'id' | 'isWhole'>): BatchDocument {
    const { physical, documents } = this.of(collection);
    const wanted = documents.get(id);
    if (wanted !== undefined) return wanted;
    const known = this.previous?.collections.get(collection)?.documents.get(id);
    const document: BatchDocument = {
      collection: physical,
      id,
      body: known?.body ?? null,
      position: known?.position ?? 0,
      changed: false,
      isKnown: known !== undefined && (known.isKnown || known.changed),
      isNew: known === undefined,
    };
    documents.set(id, document);
    if (isWhole !== true && !document.isKnown) this.missing.push(document);
    return document;
  }

  /** Loads the documents that were wanted since the last call. */
  async load(documents: DocumentStore): Promise<void> {
    const { missing } = this;
    if (missing.length === 0) return;
    this.missing = [];
    for (let at = 0; at < missing.length; at += LOAD_PAGE) {
      const wanted = missing.slice(at, at + LOAD_PAGE);
      const loaded = await documents.load(wanted);
      wanted.forEach((document, index) => {
        const stored = loaded[index];
        if (stored === undefined) throw new Error(`${document.collection} was not loaded by the store`);
        document.body = stored.body;
        document.position = stored.position;
        document.isKnown = true;
        document.isNew = stored.position === 0;
      });
      if (at + LOAD_PAGE < missing.length) await nextTurn();
    }
  }

  /** A document as it was just before a position; empty if it does not exist, or was changed at that position or later. */
  async read(documents: DocumentStore, { collection, id }: { readonly collection: string; readonly id: string }, before: Position): Promise<FoundDocument[]> {
    const document = this.want({ collection, id });
    // Not loaded so far, because an event was to replace it entirely, but then did not change it.
    if (!document.isKnown && !document.changed && !this.missing.includes(document)) this.missing.push(document);
    await this.load(documents);
    return document.body === null || document.position >= before ? [] : [{ id, body: document.body }];
  }

  /** The documents that a search would have found just before a position, by id, without those changed at that position or later. */
  async search(documents: DocumentStore, search: Search, before: Position): Promise<FoundDocument[]> {
    const key = JSON.stringify([search.collection, search.field, search.value]);
    const stored = this.searched.get(key) ?? (await this.storedMatches(documents, search));
    this.searched.set(key, stored);
    const found = stored.filter(({ id, position }) => position < before && !this.overlays(search.collection, id));
    for (const document of this.changedIn(search.collection)) {
      if (document.body !== null && document.position < before && isMatch(document.body, search))
        found.push({ id: document.id, body: document.body, position: document.position });
    }
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ id, body }) => ({ id, body }));
  }

  /** Applies all changes of one event, or none. A document that already has them is left as it is. @throws what a change throws */
  apply(position: Position, changes: readonly DocumentChange[], wanted: readonly BatchDocument[]): void {
    const [change, other] = changes;
    const [document] = wanted;
    // Most events change one document of a projector.
    if (change === undefined || document === undefined) return;
    if (other === undefined) {
      if (document.position < position) this.put(document, position, change.change(document.body));
      return;
    }
    const next = new Map<BatchDocument, Body | null>();
    for (let at = 0; at < changes.length; at += 1) stage(next, position, changes[at], wanted[at]);
    for (const [each, body] of next) this.put(each, position, body);
  }

  /** As {@link apply}, for an event that changes many documents: yields to the event loop. @throws what a change throws */
  async applyMany(position: Position, changes: readonly DocumentChange[], wanted: readonly BatchDocument[]): Promise<void> {
    const next = new Map<BatchDocument, Body | null>();
    for (let at = 0; at < changes.length; at += CHANGES_PER_TURN) {
      const end = Math.min(at + CHANGES_PER_TURN, changes.length);
      for (let nth = at; nth < end; nth += 1) stage(next, position, changes[nth], wanted[nth]);
      await nextTurn();
    }
    for (const [each, body] of next) this.put(each, position, body);
  }

  private put(document: BatchDocument, position: Position, body: Body | null): void {
    if (body === document.body) return;
    document.body = body;
    document.position = position;
    if (!document.changed) this.changed.set(document.collection, (this.changed.get(document.collection) ?? 0) + 1);
    document.changed = true;
  }

  /** The changed documents. `want` must not be called afterwards. */
  writes(): readonly DocumentWrite[] {
    this.previous = null;
    this.searched.clear();
    const writes: DocumentWrite[] = [];
    for (const { documents } of this.collections.values()) for (const document of documents.values()) if (document.changed) writes.push(document);
    return writes;
  }

  private of(collection: string): { readonly physical: string; readonly documents: Map<string, BatchDocument> } {
    const known = this.collections.get(collection);
    if (known !== undefined) return known;
    const created = { physical: this.physical(collection), documents: new Map<string, BatchDocument>() };
    this.collections.set(collection, created);
    return created;
  }

  private async storedMatches(documents: DocumentStore, { collection, field, value }: Search): Promise<readonly StoredMatch[]> {
    const { physical } = this.of(collection);
    const matches: StoredMatch[] = [];
    for (let after: string | undefined; ;) {
      const page = await documents.matches(physical, { where: { field, value }, limit: SEARCH_PAGE, ...(after === undefined ? {} : { after }) });
      matches.push(...page);
      if (page.length < SEARCH_PAGE) return matches;
      after = page.at(-1)?.id;
      await nextTurn();
    }
  }

  /** Whether this batch or the previous one has changed a document, so that the stored body is outdated. */
  private overlays(collection: string, id: string): boolean {
    const mine = this.collections.get(collection)?.documents.get(id);
    return mine?.changed === true || this.previous?.collections.get(collection)?.documents.get(id)?.changed === true;
  }

  private *changedIn(collection: string): Generator<BatchDocument> {
    const mine = this.collections.get(collection)?.documents;
    for (const document of mine?.values() ?? []) if (document.changed) yield document;
    for (const document of this.previous?.collections.get(collection)?.documents.values() ?? []) {
      if (document.changed && mine?.get(document.id)?.changed !== true) yield document;
    }
  }
}

/** Applies a change on top of the event's earlier changes to the same document. */
function stage(next: Map<BatchDocument, Body | null>, position: Position, change: DocumentChange | undefined, document: BatchDocument | undefined): void {
  if (change === undefined || document === undefined || document.position >= position) return;
  next.set(document, change.change(next.has(document) ? (next.get(document) ?? null) : document.body));
}

const isMatch = (body: Body, { field, value }: Search): boolean => {
  const key = indexKey(value);
  return key !== null && indexEntry(body, { field })[0].includes(key);
};
