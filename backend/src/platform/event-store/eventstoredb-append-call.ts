import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { NewEvent } from '../../kernel/event.js';
import type { EncodedEvent } from './check-append.js';
import type { EventStoreDbAddress } from './eventstoredb-address.js';

/** One append at an exact revision, sent in a single message. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: number | 'none';
  readonly events: readonly EncodedEvent[];
  readonly credentials: EventStoreDbAddress['credentials'];
  /** Milliseconds from now. */
  readonly deadline: number;
}

/** The server's answer: revision and position of the last event. */
export interface AppendAnswer {
  readonly revision: number;
  readonly commit: bigint;
}

/** The server's refusal; `type` is one of the client's error types. */
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

const TYPES: ReadonlyMap<string, string> = new Map([
  ['WrongExpectedVersion', 'wrong-expected-version'],
  ['StreamDeleted', 'stream-deleted'],
  ['AccessDenied', 'access-denied'],
  ['Timeout', 'deadline-exceeded'],
  ['MaximumAppendSizeExceeded', 'maximum-append-size-exceeded'],
  ['BadRequest', 'invalid-argument'],
]);

const REFUSED_BEFORE_WRITE: ReadonlySet<string> = new Set(['access-denied', 'maximum-append-size-exceeded', 'invalid-argument']);

/**
 * A batch append in its own call, atomic and with a deadline. The client's batch append shares one call without deadlines among all clients of the process and may wait
 * forever. Its other append sends events one by one, so a cut connection may leave only the first few in the stream. The client's protected members are accessed in
 * brackets because it offers no public way to make a single call.
 * @throws AppendRefused, the client's errors, ServiceUnavailable
 */
export function appendCall(client: EventStoreDBClient, append: AppendRequest): Promise<AppendAnswer> {
  const request = requestOf(append);
  return client['execute'](StreamsClient, 'append', async (raw) => {
    const call = raw.batchAppend(...client['callArguments']({ credentials: append.credentials, deadline: append.deadline, requiresLeader: true }));
    const answered = new Promise<streams.BatchAppendResp>((resolve, reject) => {
      const ended = (): void => reject(new ServiceUnavailable('EventStoreDB ended a call without answering'));
      // Never removed: an error event after the answer would otherwise be uncaught.
      call.on('error', reject).on('data', resolve).on('end', ended).on('close', ended);
      call.write(request);
      // Before the answer: the server ends an answered call only if its client has closed the request side by then.
      call.end();
    });
    try {
      return answerOf(await answered);
    } catch (error) {
      if (leavesCallOpen(error)) call.cancel();
      throw error;
    }
  });
}

/**
 * True if a failed call stays open until it is cancelled: one without an answer, or refused before the write. Others end with their answer, and are not cancelled,
 * because servers close connections with too many cancelled calls.
 */
const leavesCallOpen = (error: unknown): boolean => !(error instanceof AppendRefused) || REFUSED_BEFORE_WRITE.has(error.type);

function requestOf({ stream, expected, events }: AppendRequest): streams.BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(new shared.UUID().setString(randomUUID())).setOptions(options).setIsFinal(true);
  return request.setProposedMessagesList(events.map(proposalOf));
}

function proposalOf({ id, json }: EncodedEvent): streams.BatchAppendReq.ProposedMessage {
  const { type, data, meta } = JSON.parse(json) as NewEvent;
  const proposed = new streams.BatchAppendReq.ProposedMessage();
  proposed.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return proposed
    .setId(new shared.UUID().setString(id))
    .setData(Buffer.from(JSON.stringify(data)))
    .setCustomMetadata(Buffer.from(JSON.stringify(meta)));
}

function answerOf(response: streams.BatchAppendResp): AppendAnswer {
  const refused = refusalOf(response);
  if (refused !== null) throw refused;
  const success = response.getSuccess();
  const position = success?.getPosition();
  if (!success || !position) throw new ServiceUnavailable('EventStoreDB returned no position');
  return { revision: Number(success.getCurrentRevision()), commit: BigInt(position.getCommitPosition()) };
}

function refusalOf(response: streams.BatchAppendResp): AppendRefused | null {
  const error = response.getError();
  if (error === undefined) return null;
  const name = error.getDetails()?.getTypeName() ?? '';
  const wrong = error.getDetails()?.unpack((bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes), 'event_store.client.WrongExpectedVersion');
  const actual = wrong?.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : null;
  return new AppendRefused(error.getMessage(), TYPES.get(name.replace('event_store.client.', '')) ?? 'unknown', actual);
}
