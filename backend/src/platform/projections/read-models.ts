import { AsyncLocalStorage } from 'node:async_hooks';
import { Refused } from '../../kernel/refusal.js';
import type { Document, DocumentStore, FindQuery } from '../documents/documents.js';

/** How a process that does not build the read models knows which generation of them is served. */
export interface Pointer {
  /** Whether what was learned last cannot have been dropped since. */
  isFresh(): boolean;
  /** Learns it anew and tells `serve` or `withdraw`. */
  look(): Promise<void>;
}

/** A document that an answer was made of, as it was read; null where there was none. */
export type SeenDocument = readonly [collection: string, id: string, body: object | null];

/** What is read while an answer is made. */
class Watch {
  readonly seen: SeenDocument[] = [];
  /** False as soon as there was a search: what it would find next no document tells. */
  isWhole = true;
}

/**
 * What queries read: documents by the collection names that projectors declare, whatever generation of them is served at the moment.
 * Bodies have the shape that their projector gives them.
 */
export class ReadModels {
  /** Where each collection is read; null while nothing of this program's shape is served. */
  private served: ReadonlyMap<string, string | null> = new Map();
  private readonly watching = new AsyncLocalStorage<Watch>();
  private pointer: Pointer = { isFresh: () => true, look: () => Promise.resolve() };

  constructor(private readonly documents: DocumentStore) {}

  /** From now on these collections are read from where they are stored, all at once: pairs of a collection's name and its physical one. */
  serve(stored: Iterable<readonly [collection: string, physical: string]>): void {
    this.served = new Map([...this.served, ...stored]);
  }

  /** These collections cannot be read for now: whoever asks is told to try again. */
  withdraw(collections: Iterable<string>): void {
    this.served = new Map([...this.served, ...[...collections].map((name) => [name, null] as const)]);
  }

  /** From now on what is served is learned by looking, also by reads that find their knowledge too old. */
  pointBy(pointer: Pointer): void {
    this.pointer = pointer;
  }

  /** As all reads here: @throws Refused `store.away` while nothing of this program's shape is served */
  async get<Doc extends object>(collection: string, id: string): Promise<Doc | null> {
    const found = (await this.read(collection, (physical) => this.documents.get(physical, id))) as Doc | null;
    this.watching.getStore()?.seen.push([collection, id, found]);
    return found;
  }

  /** Those that exist, in the order asked, doubles once. */
  async getMany<Doc extends object>(collection: string, ids: readonly string[]): Promise<readonly Doc[]> {
    const found = await this.getManyById<Doc>(collection, ids);
    return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
  }

  /** Those that exist, by their ids. */
  async getManyById<Doc extends object>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    const asked = [...new Set(ids)];
    const found = await this.read(collection, (physical) => this.documents.getMany(physical, asked));
    for (const id of asked) this.watching.getStore()?.seen.push([collection, id, found.get(id) ?? null]);
    return found as ReadonlyMap<string, object> as ReadonlyMap<string, Doc>;
  }

  async find<Doc extends object>(collection: string, query: FindQuery): Promise<readonly Doc[]> {
    const watch = this.watching.getStore();
    if (watch !== undefined) watch.isWhole = false;
    const found: readonly Document[] = await this.read(collection, (physical) => this.documents.find(physical, query));
    return found as readonly Document[] & readonly Doc[];
  }

  /**
   * Makes an answer and says which documents it was made of; null when that is not all it depends on. It may depend on nothing else that changes.
   * Not to be called within another.
   */
  async watched<Answer>(make: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly seen: readonly SeenDocument[] | null }> {
    if (this.watching.getStore() !== undefined) throw new Error('an answer is watched already');
    const watch = new Watch();
    const answer = await this.watching.run(watch, make);
    return { answer, seen: watch.isWhole ? watch.seen : null };
  }

  /** Whether each of these would be read again as the same object: then an answer made of them would be the same. False where nothing is held in memory. */
  areSame(seen: readonly SeenDocument[]): boolean {
    return (
      this.pointer.isFresh() && seen.length > 0 && seen.every(([collection, id, body]) => this.documents.known(this.served.get(collection) ?? '', id) === body)
    );
  }

  /** What was replaced elsewhere may be dropped while it is read: then, and when that could have happened unseen, it is looked up and read once more. */
  private async read<Answer>(collection: string, ask: (physical: string) => Promise<Answer>): Promise<Answer> {
    const before = this.physical(collection);
    try {
      const answer = await ask(before);
      if (this.pointer.isFresh()) return answer;
      await this.pointer.look();
      return this.physical(collection) === before ? answer : await ask(this.physical(collection));
    } catch (error) {
      await this.pointer.look();
      if (this.physical(collection) === before) throw error;
      return ask(this.physical(collection));
    }
  }

  private physical(collection: string): string {
    const name = this.served.get(collection);
    if (name === undefined) throw new Error(`no projector fills ${collection}`);
    if (name === null) throw new Refused('store.away');
    return name;
  }
}
