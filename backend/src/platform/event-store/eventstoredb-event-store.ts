import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { StoreAway } from '../store-errors.js';
import { assertPage } from './assert-page.js';
import { checkAppend } from './check-append.js';
import { EventStoreDbAppends } from './eventstoredb-appends.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';
import { portErrorOf } from './eventstoredb-errors.js';
import { EventStoreDbFollowing } from './eventstoredb-following.js';
import { name, type Naming, NAMING_STREAM, namingOf } from './eventstoredb-naming.js';
import { EventStoreDbReads } from './eventstoredb-reads.js';
import type { Appended, EventStore, ExpectedRevision } from './event-store.js';

/** The address (a secret: it may hold a password), and who hears when the server is away and when it is back. */
export interface EventStoreDbOptions {
  readonly url: string;
  readonly onTrouble: (message: string) => void;
}

interface Parts {
  readonly calls: EventStoreDbCalls;
  readonly reads: EventStoreDbReads;
  readonly naming: Naming;
}

const OPEN_MS = 5_000;
const CALL_MS = 5_000;
const PAGE = 500;

/** The log in EventStoreDB, for any number of processes (ADR 22). Positions are commit positions: octets of its log, with gaps. DiskFull never comes: a server without room ends. */
export class EventStoreDbEventStore implements EventStore {
  readonly #appends: EventStoreDbAppends;
  readonly #following: EventStoreDbFollowing;
  #closing: Promise<void> | null = null;

  private constructor(
    private readonly parts: Parts,
    { onTrouble }: EventStoreDbOptions,
  ) {
    const { calls, reads } = parts;
    this.#appends = new EventStoreDbAppends(calls, reads);
    this.#following = new EventStoreDbFollowing({ subscribe: () => calls.follow(), onTrouble });
  }

  /** Connects and reads the log's name, or gives it one. @throws StoreAway; Error when the address has another form */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
    const calls = EventStoreDbCalls.to(options.url);
    const due = performance.now() + OPEN_MS;
    try {
      const naming = await namingOf(calls, due);
      const reads = new EventStoreDbReads(calls);
      await reads.head(due);
      return new EventStoreDbEventStore({ calls, reads, naming }, options);
    } catch (error) {
      await calls.close();
      throw portErrorOf(error, NAMING_STREAM);
    }
  }

  get identity(): string {
    return this.parts.naming.identity;
  }

  /** @throws Tombstoned besides what the port says, for a stream that somebody ended by hand */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.#appends.append(stream, expected, checkAppend(stream, expected, events));
  }

  async readStream(stream: string, { from = 0, limit = PAGE }: { readonly from?: number; readonly limit?: number } = {}): Promise<readonly StoredEvent[]> {
    assertPage(from, limit);
    return this.#call(stream, (due) => this.parts.reads.stream(stream, { from, limit, due }));
  }

  async readAll({ after, limit = PAGE }: { readonly after: Position; readonly limit?: number }): Promise<readonly StoredEvent[]> {
    assertPage(after, limit);
    return this.#call('the log', (due) => this.parts.reads.all({ after, limit, due }));
  }

  async readNewest(limit: number): Promise<readonly StoredEvent[]> {
    assertPage(0, limit);
    return this.#call('the log', (due) => this.parts.reads.newest(limit, due));
  }

  head(): Promise<Position> {
    return this.#call('the log', (due) => this.parts.reads.head(due));
  }

  subscribe({
    after,
    signal,
    limit = 200,
  }: {
    readonly after: Position;
    readonly signal: AbortSignal;
    readonly limit?: number;
  }): AsyncIterable<readonly StoredEvent[]> {
    return this.#following.pages({ after, signal, limit, read: (from, most) => this.readAll({ after: from, limit: most }) });
  }

  /** Appends the log's name once more, which the leader's writer answers and nobody stores. */
  check(): Promise<void> {
    const { calls, naming } = this.parts;
    return this.#call(NAMING_STREAM, (due) => name(calls, naming, due));
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.#appends.close();
    await this.#following.close();
    await this.parts.calls.close();
  }

  async #call<Answer>(stream: string, work: (due: number) => Promise<Answer>): Promise<Answer> {
    if (this.#closing !== null) throw new StoreAway('the log is closed');
    try {
      return await work(performance.now() + CALL_MS);
    } catch (error) {
      throw portErrorOf(error, stream);
    }
  }
}
