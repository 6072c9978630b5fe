import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import type { Document, DocumentStore, FindQuery } from '../documents/documents.js';
import type { ReadProgress } from './read-progress.js';
import { currentScope, inScope, type ReadScope, type SeenDocument, Watch } from './read-scope.js';

/** How a process that does not build the read models learns which generation is served. */
export interface Pointer {
  /** Whether the generation learned last cannot have been dropped since. */
  isFresh(): boolean;
  /** Reads the stored facts again and calls `serve` or `withdraw`. */
  look(): Promise<void>;
}

/** Where a collection is read, and the position of its documents (missing: nothing waits for them). */
export type ServedCollection = readonly [collection: string, physical: string, progress?: ReadProgress];

interface Served {
  /** Null while nothing of this program's shape is served. */
  readonly physical: string | null;
  readonly progress: ReadProgress | null;
}

/**
 * What queries read: documents by the collection names that projectors declare, whatever generation of them is served at the moment.
 * Bodies have the shape that their projector gives them.
 */
export class ReadModels {
  private served: ReadonlyMap<string, Served> = new Map();
  private pointer: Pointer = { isFresh: () => true, look: () => Promise.resolve() };

  constructor(private readonly documents: DocumentStore) {}

  /** Switches all of these collections at once to where they are stored. */
  serve(stored: Iterable<ServedCollection>): void {
    const entries = [...stored].map(([name, physical, progress]) => [name, { physical, progress: progress ?? null }] as const);
    this.served = new Map([...this.served, ...entries]);
  }

  /** These collections cannot be read for now: reads are refused with `store.away`. */
  withdraw(collections: Iterable<string>): void {
    this.served = new Map([...this.served, ...[...collections].map((name) => [name, { physical: null, progress: null }] as const)]);
  }

  /** From now on the served generations are polled, also by reads whose last poll is too old. */
  pointBy(pointer: Pointer): void {
    this.pointer = pointer;
  }

  /**
   * Runs work whose reads each wait until their own collection has passed a position, and no other: an answer made in it shows what was written there.
   * Reads then @throw Refused `store.away`, or DiskFull, when that takes over 2 s, and Refused `stream.unreadable` when the work wrote on a stream
   * that this collection's projector has parked.
   */
  asOf<Result>(position: Position, work: () => Result): Result {
    return inScope({ position }, work);
  }

  /** As {@link asOf}, but after some milliseconds in total reads continue with what is there. */
  asOfWithin<Result>(position: Position, milliseconds: number, work: () => Result): Result {
    return inScope({ wanted: { position, deadline: performance.now() + milliseconds } }, work);
  }

  /** Runs work whose reads wait until their collection has reached the newest position of any read model served here: what one has shown is then in all. */
  caughtUp<Result>(work: () => Promise<Result>): Promise<Result> {
    const positions = [...this.served.values()].map(({ progress }) => progress?.saved.position ?? 0);
    return this.asOf(Math.max(0, ...positions), work);
  }

  /** Whether a collection's projector has parked a stream, so its documents do not show later writes. @throws StoreAway */
  async isParked(collection: string, stream: string): Promise<boolean> {
    const isKnown = (): boolean => this.served.get(collection)?.progress?.parked.has(stream) ?? false;
    if (!isKnown()) await this.pointer.look();
    return isKnown();
  }

  /** As all reads here: @throws Refused `store.away` while nothing of this program's shape is served */
  async get<Doc extends object>(collection: string, id: string): Promise<Doc | null> {
    const found = (await this.read(collection, (physical) => this.documents.get(physical, id))) as Doc | null;
    if (found === null) await this.refuseIfParked(collection);
    currentScope()?.watch?.seen.push([collection, id, found]);
    return found;
  }

  /** Those that exist, in the requested order, each once. */
  async getMany<Doc extends object>(collection: string, ids: readonly string[]): Promise<readonly Doc[]> {
    const found = await this.getManyById<Doc>(collection, ids);
    const asked = [...new Set(ids)];
    if (found.size < asked.length) await this.refuseIfParked(collection);
    return asked.flatMap((id) => found.get(id) ?? []);
  }

  /** Those that exist, by their ids. */
  async getManyById<Doc extends object>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    const asked = [...new Set(ids)];
    const found = await this.read(collection, (physical) => this.documents.getMany(physical, asked));
    const watch = currentScope()?.watch;
    if (watch) for (const id of asked) watch.seen.push([collection, id, found.get(id) ?? null]);
    return found as ReadonlyMap<string, object> as ReadonlyMap<string, Doc>;
  }

  async find<Doc extends object>(collection: string, query: FindQuery): Promise<readonly Doc[]> {
    const watch = currentScope()?.watch;
    if (watch) watch.isWhole = false;
    const found: readonly Document[] = await this.read(collection, (physical) => this.documents.find(physical, query));
    return found as readonly Document[] & readonly Doc[];
  }

  /**
   * Makes an answer and returns the documents it was made from; null when it also depends on a search. It must not depend on anything else that changes.
   * Not to be called within another.
   */
  async watched<Answer>(make: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly seen: readonly SeenDocument[] | null }> {
    if (currentScope()?.watch) throw new Error('an answer is watched already');
    const watch = new Watch();
    const answer = await inScope({ watch }, make);
    return { answer, seen: watch.isWhole ? watch.seen : null };
  }

  /**
   * Whether each of these would be read again as the same object, so an answer made from them would be the same. False where nothing is held in memory, and
   * where a read would have to wait.
   */
  areSame(seen: readonly SeenDocument[]): boolean {
    const position = currentScope()?.position ?? 0;
    return (
      this.pointer.isFresh() &&
      seen.length > 0 &&
      seen.every(([collection, id, body]) => {
        const served = this.served.get(collection);
        return isHeld(served, position) && this.documents.known(served?.physical ?? '', id) === body;
      })
    );
  }

  /** A generation replaced by another process may be dropped during a read. Then, and when that could have happened unnoticed, the read is repeated once. */
  private async read<Answer>(collection: string, ask: (physical: string) => Promise<Answer>): Promise<Answer> {
    const scope = currentScope();
    if (scope !== undefined && !this.needNotWait(collection, scope)) await this.waitFor(collection, scope);
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

  /** Most reads: nothing to wait for. */
  private needNotWait(collection: string, { position, stream, wanted }: ReadScope): boolean {
    const served = this.served.get(collection);
    const isParked = stream !== null && served?.progress?.parked.has(stream) === true;
    return !isParked && isHeld(served, Math.max(position, wanted?.position ?? 0));
  }

  private async waitFor(collection: string, { position, stream, wanted }: ReadScope): Promise<void> {
    const progress = this.served.get(collection)?.progress;
    if (!progress) return;
    if (progress.saved.position < position) await progress.hold(position);
    if (wanted !== null) await progress.saved.waitFor(wanted.position, Math.max(0, wanted.deadline - performance.now()));
    if (stream !== null && progress.parked.has(stream)) throw new Refused('stream.unreadable');
  }

  /** A document missing from a command's answer may come after the event that parked the stream: parked streams are read again where others build. */
  private async refuseIfParked(collection: string): Promise<void> {
    const stream = currentScope()?.stream ?? null;
    if (stream !== null && (await this.isParked(collection, stream))) throw new Refused('stream.unreadable');
  }

  private physical(collection: string): string {
    const served = this.served.get(collection);
    if (served === undefined) throw new Error(`no projector fills ${collection}`);
    if (served.physical === null) throw new Refused('store.away');
    return served.physical;
  }
}

const isHeld = (served: Served | undefined, position: Position): boolean => !served?.progress || served.progress.saved.position >= position;
