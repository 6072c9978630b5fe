import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { ServiceUnavailable } from '../store-errors.js';
import { assertPage } from './assert-page.js';
import { checkAppend } from './check-append.js';
import { EventStoreDbAppends } from './eventstoredb-appends.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';
import { confirmedHead } from './eventstoredb-confirmed-head.js';
import type { LeaderReport } from './eventstoredb-connections.js';
import { portErrorOf } from './eventstoredb-errors.js';
import { EventStoreDbFollowing } from './eventstoredb-following.js';
import { IDENTITY_STREAM, type LogIdentity, readOrCreateIdentity, writeIdentity } from './eventstoredb-identity.js';
import { EventStoreDbReads } from './eventstoredb-reads.js';
import type { Appended, EventStore, ExpectedRevision } from './event-store.js';

/** The address (a secret: it may contain a password), a callback for when the server becomes unavailable and when it is back, and one for metrics. */
export interface EventStoreDbOptions {
  readonly url: string;
  readonly onTrouble: (message: string) => void;
  readonly leaderReport?: LeaderReport;
}

interface Deps {
  readonly calls: EventStoreDbCalls;
  readonly reads: EventStoreDbReads;
  readonly identity: LogIdentity;
}

const OPEN_MS = 5_000;
const CALL_MS = 5_000;
const PAGE = 500;

/** The log in EventStoreDB, for any number of processes (ADR 22). Positions are commit positions: byte offsets with gaps. Never throws DiskFull, because a full server exits. */
export class EventStoreDbEventStore implements EventStore {
  readonly #appends: EventStoreDbAppends;
  readonly #following: EventStoreDbFollowing;
  #closing: Promise<void> | null = null;

  private constructor(
    private readonly deps: Deps,
    { onTrouble }: EventStoreDbOptions,
  ) {
    const { calls, reads } = deps;
    this.#appends = new EventStoreDbAppends(calls, reads);
    this.#following = new EventStoreDbFollowing({ subscribe: (subscriber) => calls.follow(subscriber), onTrouble });
  }

  /** Connects and reads the log's identity, creating it for a new log. @throws ServiceUnavailable; Error when the address is malformed */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
    const calls = EventStoreDbCalls.to(options.url, reportTo(options));
    const due = performance.now() + OPEN_MS;
    try {
      const identity = await readOrCreateIdentity(calls, due);
      const reads = new EventStoreDbReads(calls);
      await reads.head(due);
      return new EventStoreDbEventStore({ calls, reads, identity }, options);
    } catch (error) {
      calls.close();
      throw portErrorOf(error, IDENTITY_STREAM);
    }
  }

  get identity(): string {
    return this.deps.identity.identity;
  }

  /** @throws the port's errors, and Tombstoned for a stream tombstoned by hand */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.#appends.append(stream, expected, checkAppend(stream, expected, events));
  }

  async readStream(stream: string, { from = 0, limit = PAGE }: { readonly from?: number; readonly limit?: number } = {}): Promise<readonly StoredEvent[]> {
    assertPage(from, limit);
    return this.#call(stream, (due) => this.deps.reads.stream(stream, { from, limit, due }));
  }

  async readAll({ after, limit = PAGE }: { readonly after: Position; readonly limit?: number }): Promise<readonly StoredEvent[]> {
    assertPage(after, limit);
    return this.#call('the log', (due) => this.deps.reads.all({ after, limit, due }));
  }

  async readNewest(limit: number): Promise<readonly StoredEvent[]> {
    assertPage(0, limit);
    return this.#call('the log', (due) => this.deps.reads.newest(limit, due));
  }

  head(): Promise<Position> {
    return this.#call('the log', (due) => this.deps.reads.head(due));
  }

  confirmedHead(): Promise<Position> {
    return this.#call('the log', (due) => confirmedHead(this.deps, due));
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

  /** Repeats the append of the identity event: the leader answers it without storing anything. */
  check(): Promise<void> {
    const { calls, identity } = this.deps;
    return this.#call(IDENTITY_STREAM, (due) => writeIdentity(calls, identity, due));
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.#appends.close();
    await this.#following.close();
    this.deps.calls.close();
  }

  async #call<Answer>(stream: string, work: (due: number) => Promise<Answer>): Promise<Answer> {
    if (this.#closing !== null) throw new ServiceUnavailable('the log is closed');
    try {
      return await work(performance.now() + CALL_MS);
    } catch (error) {
      throw portErrorOf(error, stream);
    }
  }
}

/** Reports why no node leads, once for each reason, and which one leads from now on. */
function reportTo({ onTrouble, leaderReport }: EventStoreDbOptions): LeaderReport {
  return {
    onNoLeader: (reason) => {
      leaderReport?.onNoLeader?.(reason);
      onTrouble(`EventStoreDB has no leader: ${reason}`);
    },
    onLeader: (change) => {
      leaderReport?.onLeader?.(change);
      onTrouble(`EventStoreDB is led by ${change.node}; the search took ${change.ms} ms`);
    },
  };
}
