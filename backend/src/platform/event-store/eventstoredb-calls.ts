import { setTimeout as pause } from 'node:timers/promises';
import { type AllStreamSubscription, BACKWARDS, END, type EventStoreDBClient, FORWARDS, START, type StreamingRead } from '@eventstore/db-client';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { StoreAway } from '../store-errors.js';
import { CallSlots } from './call-slots.js';
import type { EncodedEvent } from './check-append.js';
import { appendCall } from './eventstoredb-append-call.js';
import { EventStoreDbClients } from './eventstoredb-clients.js';
import { isLedElsewhere, isLost } from './eventstoredb-errors.js';
import type { Appended } from './event-store.js';

/** An event as the client gives it back. */
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

/** A page: where it starts (a revision or position; the end reads backwards), how much of it at most, and until when (of `performance.now()`). */
export interface PageAsked {
  readonly from: number | 'end';
  readonly count: number;
  readonly due: number;
  /** Missing: forwards, unless it starts at the end. */
  readonly backwards?: boolean;
}

/** One connection carries 100 calls; the subscription needs one, and some are left for what is being cancelled. */
const APPENDS_AT_ONCE = 64;
const READS_AT_ONCE = 24;
/** The server answers a write within 2 s, be it with a timeout. */
const TRY_MS = 2_500;
const GRACE_MS = 250;
/** So long a read may stand still; an answer that keeps coming has the whole deadline. */
const STALL_MS = 2_500;
const AGAIN_MS = 50;

/** The calls to EventStoreDB, each with an end: what is late is cancelled on the wire too, so that nothing piles up on the one connection. */
export class EventStoreDbCalls {
  readonly #appends = new CallSlots(APPENDS_AT_ONCE);
  readonly #reads = new CallSlots(READS_AT_ONCE);

  private constructor(private readonly clients: EventStoreDbClients) {}

  /** Nothing is sent yet. @throws Error when the address has another form */
  static to(url: string): EventStoreDbCalls {
    return new EventStoreDbCalls(new EventStoreDbClients(url));
  }

  /** One try at an exact revision. @throws the client's errors, DeadlineExceeded, StoreAway */
  append(stream: string, expected: number | 'none', events: readonly EncodedEvent[], due: number): Promise<Appended> {
    return this.#appends.run(due, async () => {
      const deadline = Math.min(TRY_MS, due - performance.now());
      if (deadline <= 0) throw new StoreAway('an append had no time left');
      const { credentials } = this.clients;
      const { revision, commit } = await this.clients.use((client) =>
        within(deadline + GRACE_MS, appendCall(client, { stream, expected, events, credentials, deadline })),
      );
      return { revision, position: positionOf(commit) };
    });
  }

  /** A page of a stream. @throws the client's errors, DeadlineExceeded, StoreAway */
  stream(stream: string, { from, count, due }: PageAsked): Promise<readonly Recorded[]> {
    const [direction, fromRevision] = from === 'end' ? ([BACKWARDS, END] as const) : ([FORWARDS, BigInt(from)] as const);
    return this.#read(due, (client) => client.readStream(stream, { direction, fromRevision, maxCount: count }));
  }

  /** A page of everything, the server's own events included: forwards with the one at its start, backwards without it. @throws as {@link stream} */
  all({ from, count, due, backwards = from === 'end' }: PageAsked): Promise<readonly Recorded[]> {
    const direction = backwards ? BACKWARDS : FORWARDS;
    const fromPosition = from === 'end' ? END : from === 0 ? START : { commit: BigInt(from), prepare: BigInt(from) };
    return this.#read(due, (client) => client.readAll({ direction, fromPosition, maxCount: count }));
  }

  /** A live subscription to everything that comes from now on. */
  follow(): AllStreamSubscription {
    return this.clients.current.subscribeToAll({ fromPosition: END });
  }

  close(): Promise<void> {
    return this.clients.close();
  }

  /** When one call finds the server away the client closes the connection under all others: what a read lost by that is asked once more. */
  #read(due: number, begin: (client: EventStoreDBClient) => StreamingRead<{ event?: Recorded }>): Promise<readonly Recorded[]> {
    const read = (): Promise<readonly Recorded[]> => this.clients.use((client) => collect(begin(client), due));
    return this.#reads.run(due, async () => {
      try {
        return await read();
      } catch (error) {
        if (!(isLost(error) || isLedElsewhere(error)) || performance.now() + AGAIN_MS > due) throw error;
      }
      await pause(AGAIN_MS);
      return read();
    });
  }
}

async function collect(read: StreamingRead<{ event?: Recorded }>, due: number): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  // What comes after the end, as of a call that was cancelled, has nobody else to hear it.
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
    // Ending the stream leaves the call under way; one that never began has nothing to cancel.
    if (!isWhole) void read.cancel().catch(() => undefined);
  }
}

/** A position as a number, exact up to 9 PB of log. @throws RangeError beyond */
export function positionOf(commit: bigint | undefined): Position {
  const position = Number(commit ?? -1n);
  if (!Number.isSafeInteger(position) || position < 0) throw new RangeError(`EventStoreDB told the position ${commit}, which is no exact number`);
  return position;
}
