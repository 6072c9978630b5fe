import type { StoredEvent } from '../../kernel/event.js';
import { plainEvent } from '../personal-data/plain-event.js';
import type { OutgoingEvent } from './event-stream-publisher.js';

/** A published event: CloudEvents 1.0 with the extensions for correlation, partitioning and distributed tracing. Absent values are left out. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** The event's id (a UUID), the same when it is sent again, so consumers can recognise repeats. */
  readonly id: string;
  /** The event's log. A log restored from a backup has a new identity, and positions are not comparable. */
  readonly source: string;
  readonly type: string;
  /** The stream's name. */
  readonly subject: string;
  /** When it happened, RFC 3339 in UTC. */
  readonly time: string;
  readonly partitionkey: string;
  /** Its revision in its stream, gapless from 0. */
  readonly revision: number;
  /** Its position in the log, as decimal digits because CloudEvents integers end at 2,147,483,647. */
  readonly position: string;
  readonly commandid: string;
  readonly correlationid: string;
  readonly causationid?: string;
  /** The acting user; left out for the system. */
  readonly actoruid?: string;
  readonly traceparent?: string;
  readonly datacontenttype?: 'application/json';
  /** The plain fields; absent for event types this program does not know. */
  readonly data?: unknown;
}

/** Prefix of event types, so that a topic can be shared with other sources. */
export const TYPE_PREFIX = 'roughmix.';

/** The CloudEvents source of a log. */
export const sourceOf = (identity: string): string => `urn:roughmix:log:${identity}`;

/** The log's source, and which event types the program knows. */
export interface CloudEventOptions {
  readonly source: string;
  readonly isKnown: (type: string) => boolean;
}

/** A stored event as a CloudEvent with only its plain fields. @throws RangeError for an invalid time */
export function cloudEventOf(event: StoredEvent, { source, isKnown }: CloudEventOptions): CloudEvent {
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
