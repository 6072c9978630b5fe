import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Body, DocumentChange } from '../kernel/projector.js';
import type { DocumentStore, DocumentWrite } from './documents/documents.js';

interface Held {
  readonly collection: string;
  readonly id: string;
  body: Body | null;
  position: Position;
  changed: boolean;
}

/** The documents that a batch touches, in memory until they are saved together. */
export class HeldDocuments {
  private readonly collections = new Map<string, Map<string, Held>>();
  private readonly missing: Held[] = [];

  /**
   * @param physical the name under which a collection is stored
   * @param before what the batch before saved: those need not be loaded again
   */
  constructor(
    private readonly physical: (collection: string) => string,
    private before: HeldDocuments | null,
  ) {}

  /**
   * Says that a document will be changed. One whose first change is whole need not be loaded: everything that happened to it since is in this batch too,
   * and a store keeps what it has from a later position.
   */
  want({ collection, id, isWhole }: DocumentChange): void {
    let documents = this.collections.get(collection);
    if (documents === undefined) this.collections.set(collection, (documents = new Map<string, Held>()));
    if (documents.has(id)) return;
    const known = this.before?.collections.get(collection)?.get(id);
    const held: Held = { collection: this.physical(collection), id, body: known?.body ?? null, position: known?.position ?? 0, changed: false };
    documents.set(id, held);
    if (isWhole !== true && known === undefined) this.missing.push(held);
  }

  async load(documents: DocumentStore): Promise<void> {
    this.before = null;
    if (this.missing.length === 0) return;
    const loaded = await documents.load(this.missing);
    this.missing.forEach((held, at) => Object.assign(held, loaded[at]));
  }

  /** Makes the changes of the event at a position, all or none; what a document has seen already is left out. @throws what a change throws */
  apply(position: Position, changes: readonly DocumentChange[]): void {
    const next = new Map<Held, Body | null>();
    for (const { collection, id, change } of changes) {
      const held = this.collections.get(collection)?.get(id);
      if (held === undefined || held.position >= position) continue;
      next.set(held, change(next.has(held) ? (next.get(held) ?? null) : held.body));
    }
    for (const [held, body] of next) {
      if (body === held.body) continue;
      held.body = body;
      held.position = position;
      held.changed = true;
    }
  }

  /** What has changed. */
  writes(): readonly DocumentWrite[] {
    const writes: DocumentWrite[] = [];
    for (const documents of this.collections.values()) for (const held of documents.values()) if (held.changed) writes.push(held);
    return writes;
  }
}
