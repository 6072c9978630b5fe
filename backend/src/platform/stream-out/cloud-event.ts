import type { StoredEvent } from '../../kernel/event.js';
import { plainEvent } from '../personal-data/plain-event.js';
import type { OutgoingEvent } from './event-stream-publisher.js';

/** An event as others see it: CloudEvents 1.0 with the extensions for correlation, partitioning and distributed tracing. What there is none of is left out. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** The event's own id (a UUID). It stays the same when it is sent again: whoever knows it has had the event. */
  readonly id: string;
  /** Which log it lies in. A log put back from a backup is another one: its positions count anew from there. */
  readonly source: string;
  readonly type: string;
  /** The stream's name. */
  readonly subject: string;
  /** When it happened, RFC 3339 in UTC. */
  readonly time: string;
  readonly partitionkey: string;
  /** Its place in its stream, from 0 without a gap. */
  readonly revision: number;
  /** Its place in the log, as decimal digits: integers of CloudEvents end at 2,147,483,647. */
  readonly position: string;
  readonly commandid: string;
  readonly correlationid: string;
  readonly causationid?: string;
  /** Who acted; left out for the system itself. */
  readonly actoruid?: string;
  readonly traceparent?: string;
  readonly datacontenttype?: 'application/json';
  /** The plain fields; nothing of an event whose fields this program does not know. */
  readonly data?: unknown;
}

/** What comes before the name that an event has in the log, so that a topic can be shared with others. */
export const TYPE_PREFIX = 'roughmix.';

/** Names a log by its identity. */
export const sourceOf = (identity: string): string => `urn:roughmix:log:${identity}`;

/** Of which log the events are, and which types the program knows the fields of. */
export interface CloudEventFacts {
  readonly source: string;
  readonly isKnown: (type: string) => boolean;
}

/** A stored event with its plain fields alone, as a CloudEvent. @throws RangeError when its instant is none */
export function cloudEventOf(event: StoredEvent, { source, isKnown }: CloudEventFacts): CloudEvent {
  const { id, type, stream, revision, position, data, meta } = plainEvent(event);
  const { actorUid, at, commandId, correlationId, causationId, traceparent } = meta;
  return {
    specversion: '1.0',
    id,
    source,
    type: `${TYPE_PREFIX}${type}`,
    subject: stream,
    time: new Date(at).toISOString(),
    partitionkey: stream,
    revision,
    position: String(position),
    commandid: commandId,
    correlationid: correlationId,
    ...(causationId === null ? {} : { causationid: causationId }),
    ...(actorUid === null ? {} : { actoruid: actorUid }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(isKnown(type) ? { datacontenttype: 'application/json', data } : {}),
  };
}

/** A CloudEvent ready to be sent. */
export const outgoing = (event: CloudEvent): OutgoingEvent => ({ key: event.partitionkey, id: event.id, type: event.type, body: JSON.stringify(event) });
