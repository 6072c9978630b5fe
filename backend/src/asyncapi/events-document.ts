import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import { type CloudEvent, TYPE_PREFIX } from '../platform/stream-out/cloud-event.js';
import { CONTENT_TYPE, PARTITIONS } from '../platform/stream-out/topic-facts.js';
import { type AsyncApiDocument, channelRef, infoOf, type Message, messageRef } from './document.js';
import { dataSchema } from './event-fields.js';
import { type Fields, objectOf, oneOf, optional, ref, type Schema, text, whole } from './schema.js';

const CHANNEL = 'events';
const UNKNOWN = 'Unknown';

const envelope: Fields<CloudEvent> = {
  specversion: oneOf('1.0'),
  id: { type: 'string', format: 'uuid', description: 'unchanged when the event is sent again; consumers deduplicate by it' },
  source: {
    type: 'string',
    pattern: '^urn:roughmix:log:.+$',
    description: 'the log; a restore gives it a new identity, whose positions start over from there',
  },
  type: text,
  subject: { type: 'string', description: 'the stream' },
  time: { type: 'string', format: 'date-time' },
  partitionkey: { type: 'string', description: 'the stream, as the key of the message' },
  revision: { ...whole, description: 'the revision in the stream, from 0 without gaps' },
  position: { type: 'string', pattern: '^\\d+$', description: 'the position in the log, increasing; decimal digits' },
  commandid: text,
  correlationid: { type: 'string', description: 'the request that started it; the trace id if there is a trace' },
  causationid: optional({ type: 'string', description: 'the event that a reactor responded to' }),
  actoruid: optional({ type: 'string', description: 'the acting user, as a pseudonym; left out for the system' }),
  traceparent: optional({ type: 'string', description: 'W3C trace context' }),
  datacontenttype: optional(oneOf('application/json')),
  data: optional({}),
};

const headersOf = (type: Schema): Schema => ({
  type: 'object',
  required: ['content-type', 'ce_id', 'ce_type'],
  properties: {
    'content-type': { const: CONTENT_TYPE },
    ce_id: { type: 'string', description: 'the id, to deduplicate without parsing' },
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

/** The envelope of every event, with some attributes narrowed. */
const withEnvelope = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  allOf: [ref('CloudEvent'), { type: 'object', required, properties }],
});

const unknown: Message = {
  name: UNKNOWN,
  summary: 'an event of a type unknown to the program: only its name, because none of its fields is known to be plain',
  contentType: CONTENT_TYPE,
  headers: headersOf({ type: 'string', pattern: `^${TYPE_PREFIX.replace('.', '\\.')}` }),
  payload: withEnvelope({ data: { not: {} }, datacontenttype: { not: {} } }, []),
  bindings,
};

const ABOUT = `Every event of Roughmix, oldest first, as a CloudEvent 1.0 in the structured mode of the Kafka protocol binding, with the extensions partitioning, correlation
and distributed tracing. Delivery is at least once: a repeat has the same id. Per key (the stream), first deliveries are in log order. Only fields declared
plain are published (docs/events.md); users appear by their pseudonyms (uids). The same events come as lines of JSON by \`npm run -s operate -- events export\`.`;

/** The AsyncAPI document of the event stream, generated from the events in contracts. */
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
        description: 'KAFKA_TOPIC. Created if missing, with `message.timestamp.type=LogAppendTime`; never altered afterwards',
        messages: Object.fromEntries(Object.keys(messages).map((name) => [name, messageRef(name)])),
        bindings: { kafka: { partitions: PARTITIONS, bindingVersion: '0.5.0' } },
      },
    },
    operations: { publish: { action: 'send', channel: channelRef(CHANNEL), summary: 'one process at a time publishes, from a checkpoint' } },
    components: { messages, schemas: { CloudEvent: { ...objectOf<CloudEvent>(envelope), additionalProperties: { type: ['string', 'boolean', 'integer'] } } } },
  };
}
