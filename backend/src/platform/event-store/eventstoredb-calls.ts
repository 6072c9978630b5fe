import { setTimeout as pause } from 'node:timers/promises';
import {
  type AllStreamSubscription,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  excludeSystemEvents,
  FORWARDS,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import { CallSlots } from './call-slots.js';
import type { EncodedEvent } from './check-append.js';
import { appendCall } from './eventstoredb-append-call.js';
import { EventStoreDbClients } from './eventstoredb-clients.js';
import { isNotLeader, isConnectionLost } from './eventstoredb-errors.js';
import type { Appended } from './event-store.js';

/** An event as the client returns it. */
export interface Recorded {
  readonly id: string;
  readonly type: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly data: unknown;
  readonly metadata: unknown;
  readonly isJson: boolean;
  readonly position?: { readonly commit: bigint };
}

/** A page: its start (a revision or position; 'end' reads backwards), its maximum size, and its deadline (of `performance.now()`). */
export interface PageRequest {
  readonly from: number | 'end';
  readonly count: number;
  readonly due: number;
  /** Default: only when starting at the end. */
  readonly backwards?: boolean;
}

/** A connection carries 100 calls. The subscription needs one, and the rest is left for calls being cancelled. */
const APPENDS_AT_ONCE = 64;
const READS_AT_ONCE = 24;
/** The server answers a write within 2 s, if only with a timeout. */
const TRY_MS = 2_500;
const GRACE_MS = 250;
/** Timeout of a read without progress; one that makes progress has the whole deadline. */
const STALL_MS = 2_500;
const RETRY_MS = 50;
/** A follower would forward appends and answer reads that lag. With this it refuses and names the leader, to which the client then reconnects. */
const LEADER = { requiresLeader: true };

/** Calls to EventStoreDB with deadlines. Late calls are also cancelled on the wire, so they do not accumulate on the connection. */
export class EventStoreDbCalls {
  readonly #appends = new CallSlots(APPENDS_AT_ONCE);
  readonly #reads = new CallSlots(READS_AT_ONCE);

  private constructor(private readonly clients: EventStoreDbClients) {}

  /** Does not connect yet. @throws Error when the address is malformed */
  static to(url: string): EventStoreDbCalls {
    return new EventStoreDbCalls(new EventStoreDbClients(url));
  }

  /** One try at an exact revision. @throws the client's errors, DeadlineExceeded, ServiceUnavailable */
  append(stream: string, expected: number | 'none', events: readonly EncodedEvent[], due: number): Promise<Appended> {
    return this.#appends.run(due, async () => {
      const deadline = Math.min(TRY_MS, due - performance.now());
      if (deadline <= 0) throw new ServiceUnavailable('the append reached its deadline before it was sent');
      const { credentials } = this.clients;
      const { revision, commit } = await this.clients.use((client) =>
        within(deadline + GRACE_MS, appendCall(client, { stream, expected, events, credentials, deadline })),
      );
      return { revision, position: positionOf(commit) };
    });
  }

  /** A page of a stream. @throws the client's errors, DeadlineExceeded, ServiceUnavailable */
  stream(stream: string, { from, count, due }: PageRequest): Promise<readonly Recorded[]> {
    const [direction, fromRevision] = from === 'end' ? ([BACKWARDS, END] as const) : ([FORWARDS, BigInt(from)] as const);
    return this.#read(due, (client) => client.readStream(stream, { direction, fromRevision, maxCount: count, ...LEADER }));
  }

  /** A page of $all, including system events. Its start is inclusive forwards and exclusive backwards. @throws as {@link stream} */
  all({ from, count, due, backwards = from === 'end' }: PageRequest): Promise<readonly Recorded[]> {
    const direction = backwards ? BACKWARDS : FORWARDS;
    const fromPosition = from === 'end' ? END : from === 0 ? START : { commit: BigInt(from), prepare: BigInt(from) };
    return this.#read(due, (client) => client.readAll({ direction, fromPosition, maxCount: count, ...LEADER }));
  }

  /** A live subscription to all events from now on, without system events. */
  follow(): AllStreamSubscription {
    return this.clients.current.subscribeToAll({ fromPosition: END, filter: excludeSystemEvents(), ...LEADER });
  }

  close(): Promise<void> {
    return this.clients.close();
  }

  /** When one call finds the server unavailable, the client closes the shared connection, so reads that were lost with it are retried once. */
  #read(due: number, begin: (client: EventStoreDBClient) => StreamingRead<{ event?: Recorded }>): Promise<readonly Recorded[]> {
    const read = (): Promise<readonly Recorded[]> => this.clients.use((client) => collect(begin(client), due));
    return this.#reads.run(due, async () => {
      try {
        return await read();
      } catch (error) {
        if (!(isConnectionLost(error) || isNotLeader(error)) || performance.now() + RETRY_MS > due) throw error;
      }
      await pause(RETRY_MS);
      return read();
    });
  }
}

async function collect(read: StreamingRead<{ event?: Recorded }>, due: number): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  // Errors after the end, such as a cancellation, would otherwise be uncaught.
  read.on('error', () => undefined);
  const late = (): void => void read.destroy(new DeadlineExceeded('EventStoreDB did not answer in time'));
  const timer = setTimeout(late, Math.min(STALL_MS, Math.max(0, due - performance.now())));
  let isWhole = false;
  try {
    for await (const { event } of read) {
      if (event !== undefined) events.push(event);
      if (performance.now() > due) late();
      else timer.refresh();
    }
    isWhole = true;
    return events;
  } finally {
    clearTimeout(timer);
    // Destroying the stream does not end the call. A call that never started rejects the cancel.
    if (!isWhole) void read.cancel().catch(() => undefined);
  }
}

/** A position as a number, exact up to 9 PB of log. @throws RangeError above */
export function positionOf(commit: bigint | undefined): Position {
  const position = Number(commit ?? -1n);
  if (!Number.isSafeInteger(position) || position < 0) throw new RangeError(`EventStoreDB returned position ${commit}, which is not a safe integer`);
  return position;
}
