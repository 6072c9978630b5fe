import { setTimeout as pause } from 'node:timers/promises';
import { DeadlineExceeded } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import { CallSlots } from './call-slots.js';
import type { EncodedEvent } from './check-append.js';
import { CutShort, type EventStoreDbConnection, type Subscriber, type Subscription } from './eventstoredb-connection.js';
import { type ConnectionsOptions, EventStoreDbConnections } from './eventstoredb-connections.js';
import { isConnectionLost, isNotLeader } from './eventstoredb-errors.js';
import type { PageStart, ReadRequest, Recorded } from './eventstoredb-protocol.js';
import type { Appended } from './event-store.js';

/** A page: its start (a revision or position; 'end' reads backwards), its maximum size, and its deadline (of `performance.now()`). */
export interface PageRequest {
  readonly from: PageStart;
  readonly count: number;
  readonly due: number;
  /** Default: only when starting at the end. */
  readonly backwards?: boolean;
}

/** Appends without an answer that a connection holds at most. They share one of its 100 calls. */
const APPENDS_AT_ONCE = 64;
const READS_AT_ONCE = 24;
/** The server answers a write within 2 s, if only with a timeout. */
const TRY_MS = 2_500;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/** Calls to the leader with deadlines. */
export class EventStoreDbCalls {
  readonly #appends = new CallSlots(APPENDS_AT_ONCE);
  readonly #reads = new CallSlots(READS_AT_ONCE);

  private constructor(private readonly connections: EventStoreDbConnections) {}

  /** Does not connect yet. @throws Error when the address is malformed */
  static to(url: string, options?: ConnectionsOptions): EventStoreDbCalls {
    return new EventStoreDbCalls(new EventStoreDbConnections(url, options));
  }

  /** One try at an exact revision. @throws AppendRefused, gRPC's errors, DeadlineExceeded, ServiceUnavailable */
  append(stream: string, expected: number | 'none', events: readonly EncodedEvent[], due: number): Promise<Appended> {
    return this.#appends.run(due, () =>
      this.connections.use(due, async (connection) => {
        const deadline = Math.min(TRY_MS, due - performance.now());
        if (deadline <= 0) throw new ServiceUnavailable('the append reached its deadline before it was sent');
        return connection.append({ stream, expected, events, deadline });
      }),
    );
  }

  /** A page of a stream, null if there is no such stream. @throws gRPC's errors, DeadlineExceeded, ServiceUnavailable */
  stream(stream: string, { from, count, due, backwards = from === 'end' }: PageRequest): Promise<readonly Recorded[] | null> {
    return this.#read({ stream, from, count, backwards }, due);
  }

  /** A page of $all, including system events. Its start is inclusive forwards and exclusive backwards. @throws as {@link stream} */
  async all({ from, count, due, backwards = from === 'end' }: PageRequest): Promise<readonly Recorded[]> {
    return (await this.#read({ from, count, backwards }, due)) ?? [];
  }

  /** A live subscription to all events from now on, without system events. @throws ServiceUnavailable when no leader is found */
  follow(subscriber: Subscriber): Promise<Subscription> {
    return this.connections.subscribe(performance.now() + TRY_MS, subscriber);
  }

  close(): void {
    this.connections.close();
  }

  /** A read that was cut short, or lost with its connection, is retried until its deadline: a new connection is likely to work. */
  #read(request: ReadRequest, due: number): Promise<readonly Recorded[] | null> {
    const read = (connection: EventStoreDbConnection): Promise<readonly Recorded[] | null> => connection.read(request, due);
    return this.#reads.run(due, async () => {
      for (let tries = 0; ; tries += 1) {
        const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
        try {
          return await this.connections.use(due, read);
        } catch (error) {
          if (!isWorthRetrying(error) || performance.now() + wait >= due) throw error;
        }
        await pause(wait);
      }
    });
  }
}

/** True when the node did not answer completely, or does not lead. */
const isWorthRetrying = (error: unknown): boolean =>
  isConnectionLost(error) || isNotLeader(error) || error instanceof CutShort || error instanceof DeadlineExceeded;
