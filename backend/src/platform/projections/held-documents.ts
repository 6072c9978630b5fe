import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Body, DocumentChange, FoundDocument } from '../../kernel/projector.js';
import type { DocumentStore, DocumentWrite, StoredMatch } from '../documents/documents.js';
import { indexEntry, indexKey } from '../sqlite/index-entries.js';

/** A document in memory, as far as the changes of a batch have brought it. */
export interface Held {
  readonly collection: string;
  readonly id: string;
  body: Body | null;
  position: Position;
  changed: boolean;
  /** Whether its body is what a store holds, or what came of that: one whose first change is whole need not be loaded. */
  isKnown: boolean;
  /** Whether nothing is stored of it, as far as that is known. */
  isNew: boolean;
}

/** What a search asks for. */
export interface Search {
  readonly collection: string;
  readonly field: string;
  readonly value: string | number | boolean;
}

/** As many documents are loaded between two turns of the event loop. */
const LOADED = 1_000;
/** As many changes of one event are made between two turns of the event loop. */
const CHANGED = 500;
/** As many documents a search asks the store for at a time. */
const SEARCHED = 1_000;

/** The documents that a batch touches, in memory until they are saved together. */
export class HeldDocuments {
  private readonly collections = new Map<string, { readonly physical: string; readonly documents: Map<string, Held> }>();
  private missing: Held[] = [];
  /** How many documents have changed, by the names under which their collections are stored. */
  private readonly changed = new Map<string, number>();
  /** What the store answered to searches: what has changed since is held here or in the batch before. */
  private readonly searched = new Map<string, readonly StoredMatch[]>();

  /**
   * @param physical the name under which a collection is stored
   * @param before what the batch before saved or is about to save: those need not be loaded again
   */
  constructor(
    private readonly physical: (collection: string) => string,
    private before: HeldDocuments | null,
  ) {}

  /** How many documents have changed. */
  get size(): number {
    let size = 0;
    for (const changed of this.changed.values()) size += changed;
    return size;
  }

  /** How many documents of a collection have changed, here and in the batch before. */
  changesIn(collection: string): number {
    const physical = this.physical(collection);
    return (this.changed.get(physical) ?? 0) + (this.before?.changed.get(physical) ?? 0);
  }

  /**
   * Announces that a document will be changed. One whose first change is whole need not be loaded: everything that happened to it since is in this batch too,
   * and a store keeps what it has from a later position.
   */
  want({ collection, id, isWhole }: Pick<DocumentChange, 'collection' | 'id' | 'isWhole'>): Held {
    const { physical, documents } = this.of(collection);
    const wanted = documents.get(id);
    if (wanted !== undefined) return wanted;
    const known = this.before?.collections.get(collection)?.documents.get(id);
    const held: Held = {
      collection: physical,
      id,
      body: known?.body ?? null,
      position: known?.position ?? 0,
      changed: false,
      isKnown: known !== undefined && (known.isKnown || known.changed),
      isNew: known === undefined,
    };
    documents.set(id, held);
    if (isWhole !== true && !held.isKnown) this.missing.push(held);
    return held;
  }

  /** Loads what is wanted since the last time. */
  async load(documents: DocumentStore): Promise<void> {
    const { missing } = this;
    if (missing.length === 0) return;
    this.missing = [];
    for (let at = 0; at < missing.length; at += LOADED) {
      const wanted = missing.slice(at, at + LOADED);
      const loaded = await documents.load(wanted);
      wanted.forEach((held, index) => {
        const stored = loaded[index];
        if (stored === undefined) throw new Error(`${held.collection} was loaded without an answer`);
        held.body = stored.body;
        held.position = stored.position;
        held.isKnown = true;
        held.isNew = stored.position === 0;
      });
      if (at + LOADED < missing.length) await nextTurn();
    }
  }

  /** A document as of just before a position; none when it is not there, or was changed at that position or later. */
  async read(documents: DocumentStore, { collection, id }: { readonly collection: string; readonly id: string }, before: Position): Promise<FoundDocument[]> {
    const held = this.want({ collection, id });
    // Wanted as a whole by an event that then changed nothing.
    if (!held.isKnown && !held.changed && !this.missing.includes(held)) this.missing.push(held);
    await this.load(documents);
    return held.body === null || held.position >= before ? [] : [{ id, body: held.body }];
  }

  /** The documents that an index finds as of just before a position, by id; without those changed at that position or later. */
  async search(documents: DocumentStore, search: Search, before: Position): Promise<FoundDocument[]> {
    const key = JSON.stringify([search.collection, search.field, search.value]);
    const stored = this.searched.get(key) ?? (await this.storedMatches(documents, search));
    this.searched.set(key, stored);
    const found = stored.filter(({ id, position }) => position < before && !this.overlays(search.collection, id));
    for (const held of this.changedIn(search.collection)) {
      if (held.body !== null && held.position < before && isMatch(held.body, search)) found.push({ id: held.id, body: held.body, position: held.position });
    }
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ id, body }) => ({ id, body }));
  }

  /** Makes the changes of the event at a position to the documents it wanted, all or none; what a document has seen already is left out. @throws what a change throws */
  apply(position: Position, changes: readonly DocumentChange[], wanted: readonly Held[]): void {
    const [change, other] = changes;
    const [held] = wanted;
    // Most events change one document of a projector.
    if (change === undefined || held === undefined) return;
    if (other === undefined) {
      if (held.position < position) this.put(held, position, change.change(held.body));
      return;
    }
    const next = new Map<Held, Body | null>();
    for (let at = 0; at < changes.length; at += 1) note(next, position, changes[at], wanted[at]);
    for (const [each, body] of next) this.put(each, position, body);
  }

  /** As {@link apply}, for an event that changes many documents: the event loop has turns in between. @throws what a change throws */
  async applyMany(position: Position, changes: readonly DocumentChange[], wanted: readonly Held[]): Promise<void> {
    const next = new Map<Held, Body | null>();
    for (let at = 0; at < changes.length; at += CHANGED) {
      const end = Math.min(at + CHANGED, changes.length);
      for (let nth = at; nth < end; nth += 1) note(next, position, changes[nth], wanted[nth]);
      await nextTurn();
    }
    for (const [each, body] of next) this.put(each, position, body);
  }

  private put(held: Held, position: Position, body: Body | null): void {
    if (body === held.body) return;
    held.body = body;
    held.position = position;
    if (!held.changed) this.changed.set(held.collection, (this.changed.get(held.collection) ?? 0) + 1);
    held.changed = true;
  }

  /** What has changed, when nothing more is wanted. */
  writes(): readonly DocumentWrite[] {
    this.before = null;
    this.searched.clear();
    const writes: DocumentWrite[] = [];
    for (const { documents } of this.collections.values()) for (const held of documents.values()) if (held.changed) writes.push(held);
    return writes;
  }

  private of(collection: string): { readonly physical: string; readonly documents: Map<string, Held> } {
    const known = this.collections.get(collection);
    if (known !== undefined) return known;
    const made = { physical: this.physical(collection), documents: new Map<string, Held>() };
    this.collections.set(collection, made);
    return made;
  }

  private async storedMatches(documents: DocumentStore, { collection, field, value }: Search): Promise<readonly StoredMatch[]> {
    const { physical } = this.of(collection);
    const matches: StoredMatch[] = [];
    for (let after: string | undefined; ;) {
      const page = await documents.matches(physical, { where: { field, value }, limit: SEARCHED, ...(after === undefined ? {} : { after }) });
      matches.push(...page);
      if (page.length < SEARCHED) return matches;
      after = page.at(-1)?.id;
      await nextTurn();
    }
  }

  /** Whether what a store holds of a document is not its newest body. */
  private overlays(collection: string, id: string): boolean {
    const mine = this.collections.get(collection)?.documents.get(id);
    return mine?.changed === true || this.before?.collections.get(collection)?.documents.get(id)?.changed === true;
  }

  private *changedIn(collection: string): Generator<Held> {
    const mine = this.collections.get(collection)?.documents;
    for (const held of mine?.values() ?? []) if (held.changed) yield held;
    for (const held of this.before?.collections.get(collection)?.documents.values() ?? []) {
      if (held.changed && mine?.get(held.id)?.changed !== true) yield held;
    }
  }
}

/** Adds what a change makes of its document to what the other changes of the event made. */
function note(next: Map<Held, Body | null>, position: Position, change: DocumentChange | undefined, held: Held | undefined): void {
  if (change === undefined || held === undefined || held.position >= position) return;
  next.set(held, change.change(next.has(held) ? (next.get(held) ?? null) : held.body));
}

const isMatch = (body: Body, { field, value }: Search): boolean => {
  const key = indexKey(value);
  return key !== null && indexEntry(body, { field })[0].includes(key);
};
