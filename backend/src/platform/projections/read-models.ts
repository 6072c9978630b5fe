import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import type { Document, DocumentStore, FindQuery } from '../documents/documents.js';
import type { ReadProgress } from './read-progress.js';
import { awaitedIn, currentScope, inScope, type ReadScope, type SeenDocument, ReadRecord, type WantedPosition } from './read-scope.js';

/** In a process that does not build read models: polls which generations are served. */
export interface ServedPoll {
  /** Whether the last poll is so recent that its generations cannot have been dropped. */
  isFresh(): boolean;
  /** Reads the stored facts again and calls `serve` or `withdraw`. */
  poll(): Promise<void>;
}

/** A collection, the name under which its served documents are stored, and their progress (missing: reads never wait). */
export type ServedCollection = readonly [collection: string, physical: string, progress?: ReadProgress];

interface Served {
  /** Null while no read model of this program's version is served. */
  readonly physical: string | null;
  readonly progress: ReadProgress | null;
}

type Cursor = NonNullable<FindQuery['after']>;

const PAGE = 500;

/** What queries read: documents by the collection names that projectors declare, from the generation that is currently served. */
export class ReadModels {
  private served: ReadonlyMap<string, Served> = new Map();
  private servedPoll: ServedPoll = { isFresh: () => true, poll: () => Promise.resolve() };

  constructor(private readonly documents: DocumentStore) {}

  /** Switches all of these collections together to the generations stored under these names. */
  serve(stored: Iterable<ServedCollection>): void {
    const entries = [...stored].map(([name, physical, progress]) => [name, { physical, progress: progress ?? null }] as const);
    this.served = new Map([...this.served, ...entries]);
  }

  /** These collections cannot be read for now: reads are refused with `store.away`. */
  withdraw(collections: Iterable<string>): void {
    this.served = new Map([...this.served, ...[...collections].map((name) => [name, { physical: null, progress: null }] as const)]);
  }

  /** From now on, reads poll the served generations whenever the last poll is too old. */
  pollWith(servedPoll: ServedPoll): void {
    this.servedPoll = servedPoll;
  }

  /**
   * Runs work whose reads wait until their own collection has reached a position, so the result shows everything written up to it.
   * Reads then @throw Refused `store.away`, or DiskFull, when that takes over 2 s, and Refused `stream.unreadable` when the work wrote on a stream
   * that this collection's projector has parked.
   */
  asOf<Result>(position: Position, work: () => Result): Result {
    return inScope({ position }, work);
  }

  /** As {@link asOf}, but after some milliseconds in total reads continue with older documents. */
  asOfWithin<Result>(position: Position, milliseconds: number, work: () => Result): Result {
    return this.wanting({ position, deadline: performance.now() + milliseconds }, work);
  }

  /** As {@link asOfWithin}, with a deadline, and a callback for reads that did not wait any longer. */
  wanting<Result>(wanted: WantedPosition, work: () => Result): Result {
    return inScope({ wanted }, work);
  }

  /** Runs work whose reads wait until their collection is as new as the newest one served here: what one read model has shown, all will show. */
  caughtUp<Result>(work: () => Promise<Result>): Promise<Result> {
    const positions = [...this.served.values()].map(({ progress }) => progress?.saved.position ?? 0);
    return this.asOf(Math.max(0, ...positions), work);
  }

  /** A position that the documents which are read from now on contain at least. Searches and reads of several documents may also contain later events. */
  readTo(collection: string): Position {
    return Math.max(this.served.get(collection)?.progress?.saved.position ?? 0, currentScope()?.position ?? 0);
  }

  /** Whether a collection's projector has parked a stream, so that its documents do not show later writes. @throws ServiceUnavailable */
  async isParked(collection: string, stream: string): Promise<boolean> {
    const isKnown = (): boolean => this.served.get(collection)?.progress?.parked.has(stream) ?? false;
    if (!isKnown()) await this.servedPoll.poll();
    return isKnown();
  }

  /** Like all reads, @throws Refused `store.away` while no read model of this program's version is served */
  async get<Doc extends object>(collection: string, id: string): Promise<Doc | null> {
    const found = (await this.read(collection, (physical) => this.documents.get(physical, id))) as Doc | null;
    if (found === null) await this.refuseIfParked(collection);
    currentScope()?.record?.seen.push([collection, id, found]);
    return found;
  }

  /** Those that exist, in the requested order, each once. */
  async getMany<Doc extends object>(collection: string, ids: readonly string[]): Promise<readonly Doc[]> {
    const found = await this.getManyById<Doc>(collection, ids);
    const unique = [...new Set(ids)];
    if (found.size < unique.length) await this.refuseIfParked(collection);
    return unique.flatMap((id) => found.get(id) ?? []);
  }

  /** Those that exist, by their ids. */
  async getManyById<Doc extends object>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    const unique = [...new Set(ids)];
    const found = await this.read(collection, (physical) => this.documents.getMany(physical, unique));
    const record = currentScope()?.record;
    if (record) for (const id of unique) record.seen.push([collection, id, found.get(id) ?? null]);
    return found as ReadonlyMap<string, object> as ReadonlyMap<string, Doc>;
  }

  async find<Doc extends object>(collection: string, query: FindQuery): Promise<readonly Doc[]> {
    const record = currentScope()?.record;
    if (record) record.isComplete = false;
    const found: readonly Document[] = await this.read(collection, (physical) => this.documents.find(physical, query));
    return found as readonly Document[] & readonly Doc[];
  }

  /** All documents that an index finds, in ascending order, read page by page. `cursorOf` gives a document's id and its sort value. */
  async *findAll<Doc extends object>(collection: string, where: FindQuery['where'], cursorOf: (document: Doc) => Cursor): AsyncGenerator<Doc> {
    let after: Cursor | undefined;
    for (;;) {
      const page = await this.find<Doc>(collection, { where, sort: 'ascending', limit: PAGE, ...(after === undefined ? {} : { after }) });
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = cursorOf(last);
    }
  }

  /**
   * Makes an answer and records the documents that were read for it; `seen` is null if the answer also depends on a search. It must not depend on anything
   * else that changes. Calls cannot be nested.
   */
  async recordReads<Answer>(make: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly seen: readonly SeenDocument[] | null }> {
    if (currentScope()?.record) throw new Error('reads are already being recorded');
    const record = new ReadRecord();
    const answer = await inScope({ record }, make);
    return { answer, seen: record.isComplete ? record.seen : null };
  }

  /**
   * Whether reading each of these documents again would return the same object, so that an answer made from them would be the same. False if the store keeps
   * no documents in memory, or if a read would have to wait.
   */
  areUnchanged(seen: readonly SeenDocument[]): boolean {
    const scope = currentScope();
    const position = scope === undefined ? 0 : awaitedIn(scope);
    return (
      this.servedPoll.isFresh() &&
      seen.length > 0 &&
      seen.every(([collection, id, body]) => {
        const served = this.served.get(collection);
        return hasReached(served, position) && this.documents.known(served?.physical ?? '', id) === body;
      })
    );
  }

  /** Another process may replace and drop a generation during a read. If that has happened, or could have without being noticed, reads once more. */
  private async read<Answer>(collection: string, query: (physical: string) => Promise<Answer>): Promise<Answer> {
    const scope = currentScope();
    if (scope !== undefined && !this.needNotWait(collection, scope)) await this.waitFor(collection, scope);
    const before = this.physical(collection);
    try {
      const answer = await query(before);
      if (this.servedPoll.isFresh()) return answer;
      await this.servedPoll.poll();
      return this.physical(collection) === before ? answer : await query(this.physical(collection));
    } catch (error) {
      await this.servedPoll.poll();
      if (this.physical(collection) === before) throw error;
      return query(this.physical(collection));
    }
  }

  private needNotWait(collection: string, scope: ReadScope): boolean {
    const served = this.served.get(collection);
    const isParked = scope.stream !== null && served?.progress?.parked.has(scope.stream) === true;
    return !isParked && hasReached(served, awaitedIn(scope));
  }

  private async waitFor(collection: string, { position, stream, wanted }: ReadScope): Promise<void> {
    const progress = this.served.get(collection)?.progress;
    if (!progress) return;
    if (progress.saved.position < position) await progress.waitFor(position);
    for (const { position: later, deadline, onBehind } of wanted) {
      const isReached = await progress.saved.waitFor(later, Math.max(0, deadline - performance.now()));
      if (!isReached) onBehind?.(progress.saved.position);
    }
    if (stream !== null && progress.parked.has(stream)) throw new Refused('stream.unreadable');
  }

  /** A document may be missing from a command's answer because its stream is parked. Another process may have parked it, so this polls again. */
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

const hasReached = (served: Served | undefined, position: Position): boolean => !served?.progress || served.progress.saved.position >= position;
