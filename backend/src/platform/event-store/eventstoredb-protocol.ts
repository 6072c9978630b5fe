import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent } from '../../kernel/event.js';
import type { EncodedEvent } from './check-append.js';

/** An event as EventStoreDB returns it. */
export interface Recorded {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly isJson: boolean;
  /** Null if it is not JSON. */
  readonly data: unknown;
  /** Null if it is not JSON. */
  readonly metadata: unknown;
}

/** The start of a page: a revision or a position (0 is the beginning), or the end of what is read. */
export type PageStart = number | 'end';

/** A page of a stream, or of the log without one. */
export interface ReadRequest {
  readonly stream?: string;
  readonly from: PageStart;
  readonly count: number;
  readonly backwards: boolean;
}

/** With this, a whole page of a stream ends with the stream's last position. */
const COMPATIBILITY = 1;
const FORWARDS = 0;
const BACKWARDS = 1;
/** System events begin with $. */
const OUR_TYPES = '^[^$].*';
/** A checkpoint after every `CHECKPOINT_INTERVAL` x 32 skipped events. They are ignored. */
const CHECKPOINT_INTERVAL = 32;

/** The request for a page. */
export function readRequest({ stream, from, count, backwards }: ReadRequest): streams.ReadReq {
  const options = baseOptions();
  if (stream === undefined) options.setAll(allFrom(from));
  else options.setStream(streamFrom(stream, from));
  options
    .setReadDirection(backwards ? BACKWARDS : FORWARDS)
    .setCount(String(count))
    .setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

/** The request for a live subscription to all events but the system's, from the end. */
export function subscriptionRequest(): streams.ReadReq {
  const { Options } = streams.ReadReq;
  const filter = new Options.FilterOptions()
    .setEventType(new Options.FilterOptions.Expression().setRegex(OUR_TYPES))
    .setCount(new shared.Empty())
    .setCheckpointintervalmultiplier(CHECKPOINT_INTERVAL);
  const options = baseOptions().setAll(allFrom('end')).setReadDirection(FORWARDS).setSubscription(new Options.SubscriptionOptions()).setFilter(filter);
  return new streams.ReadReq().setOptions(options);
}

function baseOptions(): streams.ReadReq.Options {
  const { Options } = streams.ReadReq;
  return new Options()
    .setResolveLinks(false)
    .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
    .setControlOption(new Options.ControlOption().setCompatibility(COMPATIBILITY));
}

function streamFrom(stream: string, from: PageStart): streams.ReadReq.Options.StreamOptions {
  const options = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifierOf(stream));
  return from === 'end' ? options.setEnd(new shared.Empty()) : options.setRevision(String(from));
}

function allFrom(from: PageStart): streams.ReadReq.Options.AllOptions {
  const options = new streams.ReadReq.Options.AllOptions();
  if (from === 'end') return options.setEnd(new shared.Empty());
  if (from === 0) return options.setStart(new shared.Empty());
  return options.setPosition(new streams.ReadReq.Options.Position().setCommitPosition(String(from)).setPreparePosition(String(from)));
}

/** An append at an exact revision in one message, and the id under which it is answered. */
export function appendRequest(id: string, stream: string, expected: number | 'none', events: readonly EncodedEvent[]): streams.BatchAppendReq {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(identifierOf(stream));
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(id))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposalOf))
    .setIsFinal(true);
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

const identifierOf = (stream: string): shared.StreamIdentifier => new shared.StreamIdentifier().setStreamName(Buffer.from(stream));

/** @throws RangeError for a position that a number cannot hold */
export function recordedOf(event: streams.ReadResp.ReadEvent.RecordedEvent): Recorded {
  const named = event.getMetadataMap();
  const isJson = named.get('content-type') === 'application/json';
  return {
    id: uuidOf(event.getId()),
    type: named.get('type') ?? '',
    stream: Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    revision: Number(event.getStreamRevision()),
    position: positionOf(event.getCommitPosition()),
    isJson,
    data: isJson ? jsonOf(event.getData_asU8()) : null,
    metadata: jsonOf(event.getCustomMetadata_asU8()),
  };
}

/** A signed 64-bit number, as protobuf writes it, in 16 hexadecimal digits. */
const hexOf = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');

/** A UUID in lower case; '' for none. */
export function uuidOf(id: shared.UUID | undefined): string {
  const structured = id?.getStructured();
  if (structured === undefined) return id?.getString().toLowerCase() ?? '';
  const hex = hexOf(structured.getMostSignificantBits()) + hexOf(structured.getLeastSignificantBits());
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // Another program's bytes.
    return null;
  }
}

/** A position as a number, exact up to 9 PB of log. @throws RangeError above */
export function positionOf(commit: string): Position {
  const position = Number(commit);
  if (!Number.isSafeInteger(position) || position < 0) throw new RangeError(`EventStoreDB returned position ${commit}, which is not a safe integer`);
  return position;
}
