import type { ClientReadableStream } from '@grpc/grpc-js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { DeadlineExceeded } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStoreDbAddress, EventStoreDbNode } from './eventstoredb-address.js';
import { type AppendAnswer, type AppendRequest, EventStoreDbAppendCall } from './eventstoredb-append-call.js';
import { channelOptions } from './eventstoredb-channel.js';
import { type ReadRequest, readRequest, type Recorded, recordedOf, subscriptionRequest } from './eventstoredb-protocol.js';

/** What a live subscription reports. */
export interface Subscriber {
  readonly onConfirmed: () => void;
  readonly onEvent: () => void;
}

/** A live subscription. */
export interface Subscription {
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<unknown>;
  stop(): void;
}

/** A read ended before the server said that it is whole. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** Timeout of a read without progress; one that makes progress has the whole deadline. */
const STALL_MS = 2_500;

/** A connection to one node. It never connects to another one, and never closes while a call is running. */
export class EventStoreDbConnection {
  readonly madeAt = performance.now();
  /** When the server last answered a call; 0 before the first answer. */
  answeredAt = 0;
  readonly #client: StreamsClient;
  readonly #appends: EventStoreDbAppendCall;
  readonly #subscriptions = new Set<Subscription>();
  #calls = 0;
  #isRetired = false;

  constructor(
    readonly node: EventStoreDbNode,
    private readonly address: EventStoreDbAddress,
  ) {
    this.#client = new StreamsClient(node.target, address.channelCredentials, channelOptions(node));
    this.#appends = new EventStoreDbAppendCall(() => this.#client.batchAppend(address.metadata));
  }

  /** Runs a call on this connection, which stays open until it has ended. @throws what `work` throws */
  async run<Answer>(work: (connection: this) => Promise<Answer>): Promise<Answer> {
    this.#calls += 1;
    try {
      return await work(this);
    } finally {
      this.#calls -= 1;
      this.#closeIfDone();
    }
  }

  /** @throws AppendRefused, gRPC's errors, DeadlineExceeded, ServiceUnavailable */
  append(request: AppendRequest): Promise<AppendAnswer> {
    return this.#appends.append(request);
  }

  /** A whole page, null if there is no such stream. @throws gRPC's errors, DeadlineExceeded, CutShort */
  read(request: ReadRequest, due: number): Promise<readonly Recorded[] | null> {
    return collect(this.#client.read(readRequest(request), this.address.metadata), { isStream: request.stream !== undefined, due });
  }

  /** A live subscription to all events from now on, without system events. It ends with this connection. */
  subscribe({ onConfirmed, onEvent }: Subscriber): Subscription {
    const call = this.#client.read(subscriptionRequest(), this.address.metadata);
    const ended = new Promise<unknown>((resolve) => {
      const end = (): void => resolve(new ServiceUnavailable('the subscription ended'));
      // Never removed: an error event after the end would otherwise be uncaught.
      call.on('error', resolve).on('end', end);
      call.on('data', (response: streams.ReadResp) => {
        if (response.hasConfirmation()) onConfirmed();
        else if (response.hasEvent()) onEvent();
      });
    });
    const subscription: Subscription = { ended, stop: () => call.cancel() };
    this.#subscriptions.add(subscription);
    void ended.then(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  /** Ends subscriptions, and closes once the running calls have ended; there must be no new ones. */
  retire(): void {
    this.#isRetired = true;
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (!this.#isRetired || this.#calls > 0) return;
    this.#appends.end();
    this.#client.close();
  }
}

/**
 * A page of events. It is whole only if the server says so: by the status OK and, for a stream, by the stream's last position or by reporting that there is no such stream.
 * A page that was cut short looks like the end of the stream otherwise, or like a missing one.
 */
async function collect(
  call: ClientReadableStream<streams.ReadResp>,
  { isStream, due }: { isStream: boolean; due: number },
): Promise<readonly Recorded[] | null> {
  const events: Recorded[] = [];
  let [isMissing, isWhole] = [false, !isStream];
  const fail = (error: Error): void => void call.destroy(error);
  const late = (): void => fail(new DeadlineExceeded('EventStoreDB did not answer a read in time'));
  const timers = [setTimeout(late, STALL_MS), setTimeout(late, Math.max(0, due - performance.now()))] as const;
  // Never removed: an error event after the end would otherwise be uncaught.
  call.on('error', () => undefined);
  try {
    for await (const response of call as AsyncIterable<streams.ReadResp>) {
      timers[0].refresh();
      const event = response.getEvent()?.getEvent();
      if (event !== undefined) events.push(recordedOf(event));
      else if (response.hasStreamNotFound()) isMissing = isWhole = true;
      else if (response.hasLastStreamPosition()) isWhole = true;
    }
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // Does nothing to a call that has ended.
    call.cancel();
  }
  if (!isWhole) throw new CutShort('EventStoreDB cut a read short');
  return isMissing ? null : events;
}
