import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import type { Document, DocumentStore, FindQuery } from '../documents/documents.js';
import type { ReadProgress } from './read-progress.js';
import { currentScope, inScope, type ReadScope, type SeenDocument, Watch } from './read-scope.js';

/** Polls which generations are served, in a process that does not build them. */
export interface ServedPoll {
  /** Whether the last poll is so recent that its generations cannot have been dropped. */
  isFresh(): boolean;
  /** Reads the stored facts again and calls `serve` or `withdraw`. */
  poll(): Promise<void>;
}

/** A collection, the name under which its served documents are stored, and their progress (missing: reads never wait). */
export type ServedCollection = readonly [collection: string, physical: string, progress?: ReadProgress];

interface Served {
  /** Null while nothing of this program's shape is served. */
  readonly physical: string | null;
  readonly progress: ReadProgress | null;
}

/** What queries read: documents by the collection names that projectors declare, from the generation that is currently served. */
export class ReadModels {
  private served: ReadonlyMap<string, Served> = new Map();
  private servedPoll: ServedPoll = { isFresh: () => true, poll: () => Promise.resolve() };

  constructor(private readonly documents: DocumentStore) {}

  /** Switches all of these collections at once to the generations under these names. */
  serve(stored: Iterable<ServedCollection>): void {
    const entries = [...stored].map(([name, physical, progress]) => [name, { physical, progress: progress ?? null }] as const);
    this.served = new Map([...this.served, ...entries]);
  }

  /** These collections cannot be read for now: reads are refused with `store.away`. */
  withdraw(collections: Iterable<string>): void {
    this.served = new Map([...this.served, ...[...collections].map((name) => [name, { physical: null, progress: null }] as const)]);
  }

  /** Makes reads poll the served generations when the last poll is too old. */
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
    return inScope({ wanted: { position, deadline: performance.now() + milliseconds } }, work);
  }

  /** Runs work whose reads wait until their collection has reached the newest position of any read model served here, so all show what one has shown. */
  caughtUp<Result>(work: () => Promise<Result>): Promise<Result> {
    const positions = [...this.served.values()].map(({ progress }) => progress?.saved.position ?? 0);
    return this.asOf(Math.max(0, ...positions), work);
  }

  /** Whether a collection's projector has parked a stream, so its documents do not show later writes. @throws ServiceUnavailable */
  async isParked(collection: string, stream: string): Promise<boolean> {
    const isKnown = (): boolean => this.served.get(collection)?.progress?.parked.has(stream) ?? false;
    if (!isKnown()) await this.servedPoll.poll();
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
    const unique = [...new Set(ids)];
    if (found.size < unique.length) await this.refuseIfParked(collection);
    return unique.flatMap((id) => found.get(id) ?? []);
  }

  /** Those that exist, by their ids. */
  async getManyById<Doc extends object>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    const unique = [...new Set(ids)];
    const found = await this.read(collection, (physical) => this.documents.getMany(physical, unique));
    const watch = currentScope()?.watch;
    if (watch) for (const id of unique) watch.seen.push([collection, id, found.get(id) ?? null]);
    return found as ReadonlyMap<string, object> as ReadonlyMap<string, Doc>;
  }

  async find<Doc extends object>(collection: string, query: FindQuery): Promise<readonly Doc[]> {
    const watch = currentScope()?.watch;
    if (watch) watch.isWhole = false;
    const found: readonly Document[] = await this.read(collection, (physical) => this.documents.find(physical, query));
    return found as readonly Document[] & readonly Doc[];
  }

  /**
   * Makes an answer and returns the documents it was made from; null if it also depends on a search. The answer must not depend on anything else that
   * changes. Calls cannot be nested.
   */
  async watched<Answer>(make: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly seen: readonly SeenDocument[] | null }> {
    if (currentScope()?.watch) throw new Error('an answer is watched already');
    const watch = new Watch();
    const answer = await inScope({ watch }, make);
    return { answer, seen: watch.isWhole ? watch.seen : null };
  }

  /**
   * Whether reading each of these again would return the same object, so an answer made from them would be the same. False if the store keeps no documents
   * in memory, or a read would have to wait.
   */
  areSame(seen: readonly SeenDocument[]): boolean {
    const position = currentScope()?.position ?? 0;
    return (
      this.servedPoll.isFresh() &&
      seen.length > 0 &&
      seen.every(([collection, id, body]) => {
        const served = this.served.get(collection);
        return isHeld(served, position) && this.documents.known(served?.physical ?? '', id) === body;
      })
    );
  }

  /** Another process may replace and drop a generation during a read. If that happened, or could have happened unnoticed, the read is repeated once. */
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

  /** A document missing from a command's answer may follow an event that parked its stream. Another process may have parked it, so that is polled again. */
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
