import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { StoreAway } from '../store-errors.js';
import type { NewEvent } from '../../kernel/event.js';
import type { EncodedEvent } from './check-append.js';
import type { EventStoreDbAddress } from './eventstoredb-address.js';

/** One append: whole in one message, at an exact revision. */
export interface AppendAsked {
  readonly stream: string;
  readonly expected: number | 'none';
  readonly events: readonly EncodedEvent[];
  readonly credentials: EventStoreDbAddress['credentials'];
  /** Milliseconds from now on. */
  readonly deadline: number;
}

/** Where the last event of an append lies, as the server says it. */
export interface AppendAnswer {
  readonly revision: number;
  readonly commit: bigint;
}

/** What the server answers instead; `type` is of the client's words for errors. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
  constructor(
    message: string,
    readonly type: string,
    /** The stream's last revision, when another was expected. */
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

/**
 * A batch append in a call of its own. The client's batch append is one call for everything, without deadlines, which may wait for ever and whose state is shared by all
 * clients of the process; its other append sends event after event, of which a connection that is cut may leave the first few in the stream. This has a deadline, and
 * the server takes it whole or not at all. Members of the client that are protected are named in brackets: there is no other way to one call of one's own.
 * @throws AppendRefused, the client's errors, StoreAway
 */
export function appendCall(client: EventStoreDBClient, asked: AppendAsked): Promise<AppendAnswer> {
  const request = requestOf(asked);
  return client['execute'](StreamsClient, 'append', async (raw) => {
    const call = raw.batchAppend(...client['callArguments']({ credentials: asked.credentials, deadline: asked.deadline }));
    const answered = new Promise<streams.BatchAppendResp>((resolve, reject) => {
      const ended = (): void => reject(new StoreAway('EventStoreDB ended a call without an answer'));
      // Stays: what comes behind the answer has nobody else to hear it.
      call.on('error', reject).on('data', resolve).on('end', ended).on('close', ended);
      call.write(request);
    });
    answered.catch(() => call.cancel());
    const response = await answered;
    // Ended and not cancelled: servers close a connection on which too many calls are cancelled.
    call.end();
    return answerOf(response);
  });
}

function requestOf({ stream, expected, events }: AppendAsked): streams.BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(new shared.UUID().setString(randomUUID())).setOptions(options).setIsFinal(true);
  return request.setProposedMessagesList(events.map(proposalOf));
}

/** The values that were checked and counted. */
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
  if (!success || !position) throw new StoreAway('EventStoreDB told no position');
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
