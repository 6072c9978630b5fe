import { randomUUID } from 'node:crypto';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { DeadlineExceeded } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import { appendRequest, positionOf, uuidOf } from './eventstoredb-protocol.js';

/** One append at an exact revision. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: number | 'none';
  readonly events: readonly EncodedEvent[];
  /** Milliseconds from now. */
  readonly deadline: number;
}

/** The server's answer: revision and position of the last event. */
export interface AppendAnswer {
  readonly revision: number;
  readonly position: Position;
}

/** The server's refusal; `type` is one of the types that {@link outcomeOf} knows. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
  constructor(
    message: string,
    readonly type: string,
    /** The stream's last revision, if another was expected. */
    readonly actualVersion: bigint | null,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['WrongExpectedVersion', 'wrong-expected-version'],
  ['StreamDeleted', 'stream-deleted'],
  ['AccessDenied', 'access-denied'],
  ['Timeout', 'deadline-exceeded'],
  ['MaximumAppendSizeExceeded', 'maximum-append-size-exceeded'],
  ['BadRequest', 'invalid-argument'],
]);
/** A node without a leader answers an append with this text alone. */
const NOT_READY = 'Server Is Not Ready';

/**
 * The appends of a connection in one long-lived batch append call (ADR 22). Each append is one message, so it is stored whole or not at all, is answered under its own id,
 * and has its own deadline: one without an answer holds up no other. When the call ends, all appends without an answer are rejected with its error.
 */
export class EventStoreDbAppendCall {
  readonly #waiting = new Map<string, Waiting>();
  #call: ClientDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp> | null = null;

  constructor(private readonly open: () => ClientDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>) {}

  /** @throws AppendRefused, gRPC's errors, DeadlineExceeded, ServiceUnavailable */
  append({ stream, expected, events, deadline }: AppendRequest): Promise<AppendAnswer> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiting.delete(id);
        reject(new DeadlineExceeded('EventStoreDB did not answer an append in time'));
      };
      this.#waiting.set(id, { resolve, reject, timer: setTimeout(late, deadline) });
      this.#call ??= this.#begin();
      this.#call.write(appendRequest(id, stream, expected, events));
    });
  }

  /** Cancelled, because the server keeps a call open whose client closes it after its answers. */
  end(): void {
    this.#call?.cancel();
  }

  #begin(): ClientDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp> {
    const call = this.open();
    const failed = (error: unknown): void => {
      if (this.#call === call) this.#fail(error);
    };
    const ended = (): void => failed(new ServiceUnavailable('EventStoreDB ended the call for appends'));
    // Never removed: an error event after the end would otherwise be uncaught.
    call.on('error', failed).on('end', ended).on('close', ended);
    call.on('data', (response: streams.BatchAppendResp) => this.#answered(response));
    return call;
  }

  #answered(response: streams.BatchAppendResp): void {
    const id = uuidOf(response.getCorrelationId());
    const waiting = this.#waiting.get(id);
    // Given up at its deadline.
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    try {
      waiting.resolve(answerOf(response));
    } catch (error) {
      waiting.reject(error);
    }
  }

  #fail(error: unknown): void {
    this.#call = null;
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of left) {
      clearTimeout(timer);
      reject(error);
    }
  }
}

/** @throws AppendRefused, ServiceUnavailable, RangeError */
function answerOf(response: streams.BatchAppendResp): AppendAnswer {
  if (response.hasError()) throw refusalOf(response);
  const success = response.getSuccess();
  const position = success?.getPosition();
  if (!success || !position) throw new ServiceUnavailable('EventStoreDB returned no position');
  return { revision: Number(success.getCurrentRevision()), position: positionOf(position.getCommitPosition()) };
}

function refusalOf(response: streams.BatchAppendResp): AppendRefused {
  const [message, details] = [response.getError()?.getMessage() ?? '', response.getError()?.getDetails()];
  const name = details?.getTypeName() ?? '';
  const wrong = details?.unpack((bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes), 'event_store.client.WrongExpectedVersion');
  const actual = wrong?.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : null;
  const type = TYPES.get(name.replace('event_store.client.', '')) ?? (message === NOT_READY ? 'not-ready' : 'unknown');
  return new AppendRefused(message, type, actual);
}
