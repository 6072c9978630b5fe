import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import { type CloudEvent, TYPE_PREFIX } from '../platform/stream-out/cloud-event.js';
import { CONTENT_TYPE, PARTITIONS } from '../platform/stream-out/topic-facts.js';
import { type AsyncApiDocument, channelRef, infoOf, type Message, messageRef } from './document.js';
import { dataSchema } from './event-fields.js';
import { type Fields, objectOf, oneOf, optional, ref, type Schema, text, whole } from './schema.js';

const CHANNEL = 'events';
const UNKNOWN = 'Unknown';

/** The attributes of every event. */
const envelope: Fields<CloudEvent> = {
  specversion: oneOf('1.0'),
  id: { type: 'string', format: 'uuid', description: 'the same when the event is sent again: whoever knows it has had the event' },
  source: { type: 'string', pattern: '^urn:roughmix:log:.+$', description: 'the log; another one after a restore, whose positions count anew from there' },
  type: text,
  subject: { type: 'string', description: 'the stream' },
  time: { type: 'string', format: 'date-time' },
  partitionkey: { type: 'string', description: 'the stream, as the key of the message' },
  revision: { ...whole, description: 'the place in the stream, from 0 without a gap' },
  position: { type: 'string', pattern: '^\\d+$', description: 'the place in the log, rising; decimal digits' },
  commandid: text,
  correlationid: { type: 'string', description: 'what began it; the trace id when there is a trace' },
  causationid: optional({ type: 'string', description: 'the event that a reactor answered to' }),
  actoruid: optional({ type: 'string', description: 'who acted, by a pseudonym; left out for the system' }),
  traceparent: optional({ type: 'string', description: 'W3C trace context' }),
  datacontenttype: optional(oneOf('application/json')),
  data: optional({}),
};

const headersOf = (type: Schema): Schema => ({
  type: 'object',
  required: ['content-type', 'ce_id', 'ce_type'],
  properties: {
    'content-type': { const: CONTENT_TYPE },
    ce_id: { type: 'string', description: 'the id, for whoever drops repeats without parsing' },
    ce_type: type,
  },
});

const bindings: Schema = { kafka: { key: { type: 'string', description: 'the stream: its events keep their order' }, bindingVersion: '0.5.0' } };

function messageOf(type: string, classes: FieldClasses): Message {
  const name = { const: `${TYPE_PREFIX}${type}` };
  const required = ['datacontenttype', 'data'];
  return {
    name: type,
    summary: `${type}, its plain fields`,
    contentType: CONTENT_TYPE,
    headers: headersOf(name),
    payload: withEnvelope({ type: name, data: dataSchema(type, classes) }, required),
    bindings,
  };
}

/** Every event, with some of its attributes told more narrowly. */
const withEnvelope = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  allOf: [ref('CloudEvent'), { type: 'object', required, properties }],
});

const unknown: Message = {
  name: UNKNOWN,
  summary: 'an event of a type that the program does not know: its name alone, for nothing of it is known to be plain',
  contentType: CONTENT_TYPE,
  headers: headersOf({ type: 'string', pattern: `^${TYPE_PREFIX.replace('.', '\\.')}` }),
  payload: withEnvelope({ data: { not: {} }, datacontenttype: { not: {} } }, []),
  bindings,
};

const ABOUT = `Every event of Roughmix, oldest first, as a CloudEvent 1.0 in the structured mode of the Kafka protocol binding, with the extensions partitioning, correlation
and distributed tracing. At least once: a repeat has the id of the first. Per key (the stream) the first of each comes in the order of the log. Only fields declared
plain are in it (docs/events.md); people stand in it by pseudonyms (uids). The same events come as lines of JSON by \`npm run -s operate -- events export\`.`;

/** AsyncAPI of the event stream, made from the events that contracts declare. */
export function eventsDocument(fieldClasses: ReadonlyMap<string, FieldClasses>): AsyncApiDocument {
  const messages = { ...Object.fromEntries([...fieldClasses].map(([type, classes]) => [type, messageOf(type, classes)])), [UNKNOWN]: unknown };
  return {
    asyncapi: '3.0.0',
    info: infoOf('Roughmix: the event stream', ABOUT),
    defaultContentType: CONTENT_TYPE,
    servers: { kafka: { host: 'localhost:9092', protocol: 'kafka', description: 'KAFKA_BROKERS; with TLS and SASL where they are set' } },
    channels: {
      [CHANNEL]: {
        address: 'roughmix.events',
        description: 'KAFKA_TOPIC. Made when it is missing, with `message.timestamp.type=LogAppendTime`; never altered afterwards',
        messages: Object.fromEntries(Object.keys(messages).map((name) => [name, messageRef(name)])),
        bindings: { kafka: { partitions: PARTITIONS, bindingVersion: '0.5.0' } },
      },
    },
    operations: { publish: { action: 'send', channel: channelRef(CHANNEL), summary: 'by one process at a time, from a checkpoint' } },
    components: { messages, schemas: { CloudEvent: { ...objectOf<CloudEvent>(envelope), additionalProperties: { type: ['string', 'boolean', 'integer'] } } } },
  };
}
