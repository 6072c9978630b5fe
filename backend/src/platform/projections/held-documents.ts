import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Body, DocumentChange } from '../../kernel/projector.js';
import type { DocumentStore, DocumentWrite } from '../documents/documents.js';

/** A document in memory, as far as the changes of a batch have brought it. */
export interface Held {
  readonly collection: string;
  readonly id: string;
  body: Body | null;
  position: Position;
  changed: boolean;
}

/** The documents that a batch touches, in memory until they are saved together. */
export class HeldDocuments {
  private readonly collections = new Map<string, { readonly physical: string; readonly documents: Map<string, Held> }>();
  private missing: Held[] = [];
  private changed = 0;

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
    return this.changed;
  }

  /**
   * Says that a document will be changed. One whose first change is whole need not be loaded: everything that happened to it since is in this batch too,
   * and a store keeps what it has from a later position.
   */
  want({ collection, id, isWhole }: DocumentChange): Held {
    const { physical, documents } = this.of(collection);
    const wanted = documents.get(id);
    if (wanted !== undefined) return wanted;
    const known = this.before?.collections.get(collection)?.documents.get(id);
    const held: Held = { collection: physical, id, body: known?.body ?? null, position: known?.position ?? 0, changed: false };
    documents.set(id, held);
    if (isWhole !== true && known === undefined) this.missing.push(held);
    return held;
  }

  /** Loads what is wanted since the last time. */
  async load(documents: DocumentStore): Promise<void> {
    const { missing } = this;
    if (missing.length === 0) return;
    this.missing = [];
    const loaded = await documents.load(missing);
    missing.forEach((held, at) => {
      const stored = loaded[at];
      if (stored === undefined) throw new Error(`${held.collection} was loaded without an answer`);
      held.body = stored.body;
      held.position = stored.position;
    });
  }

  /** Makes the changes of the event at a position to the documents it wanted, all or none; what a document has seen already is left out. @throws what a change throws */
  apply(position: Position, changes: readonly DocumentChange[], wanted: readonly Held[]): void {
    const [change, other] = changes;
    const [held] = wanted;
    // Most events change one document of a projector.
    if (change === undefined || held === undefined) return;
    if (other !== undefined) this.applyAll(position, changes, wanted);
    else if (held.position < position) this.put(held, position, change.change(held.body));
  }

  private applyAll(position: Position, changes: readonly DocumentChange[], wanted: readonly Held[]): void {
    const next = new Map<Held, Body | null>();
    changes.forEach(({ change }, at) => {
      const held = wanted[at];
      if (held === undefined || held.position >= position) return;
      next.set(held, change(next.has(held) ? (next.get(held) ?? null) : held.body));
    });
    for (const [held, body] of next) this.put(held, position, body);
  }

  private put(held: Held, position: Position, body: Body | null): void {
    if (body === held.body) return;
    held.body = body;
    held.position = position;
    if (!held.changed) this.changed += 1;
    held.changed = true;
  }

  /** What has changed, when nothing more is wanted. */
  writes(): readonly DocumentWrite[] {
    this.before = null;
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
}
