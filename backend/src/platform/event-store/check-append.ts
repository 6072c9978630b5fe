import type { NewEvent } from '../../kernel/event.js';
import { APPEND_LIMIT_BYTES, AppendTooLarge, type ExpectedRevision } from './event-store.js';

/** An event as every adapter stores it: its id and the JSON of `{id, type, data, meta}`, with the keys in this order. */
export interface EncodedEvent {
  readonly id: string;
  readonly json: string;
}

const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NAME_FORM = /^[^\p{Cc}\p{Cs}]+$/u;

/**
 * Validates an append before it is queued and encodes its events as JSON, identically for both adapters.
 * @throws TypeError for no events, an id that is not a UUID or occurs twice, an empty type or stream, or values that are not JSON
 * @throws AppendTooLarge when the events' JSON exceeds {@link APPEND_LIMIT_BYTES} in total
 */
export function checkAppend(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): EncodedEvent[] {
  if (!isName(stream)) throw new TypeError('a stream name must consist of printable characters');
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new TypeError(`an expected revision must be a non-negative integer or 'none': ${expected}`);
  }
  if (events.length === 0) throw new TypeError('an append must contain at least one event');
  const encoded = events.map(encode);
  if (new Set(encoded.map((event) => event.id)).size !== encoded.length) throw new TypeError('an event id occurs twice in one append');
  const bytes = encoded.reduce((sum, event) => sum + Buffer.byteLength(event.json), 0);
  if (bytes > APPEND_LIMIT_BYTES) throw new AppendTooLarge(`an append of ${bytes} bytes exceeds the limit of ${APPEND_LIMIT_BYTES}`);
  return encoded;
}

function encode({ id, type, data, meta }: NewEvent): EncodedEvent {
  if (!UUID_FORM.test(id)) throw new TypeError(`an event id must be a UUID: ${id}`);
  if (!isName(type)) throw new TypeError('an event type must consist of printable characters');
  assertJson(data, `${type}.data`);
  assertJson(meta, `${type}.meta`);
  return { id, json: JSON.stringify({ id, type, data, meta }) };
}

const isName = (value: unknown): boolean => typeof value === 'string' && NAME_FORM.test(value);

/** Undefined fields count as missing, as in JSON. In arrays they are refused because they would be read back as null. */
function assertJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) assertJson(value[i], `${path}[${i}]`);
    return;
  }
  if (typeof value !== 'object' || !isRecord(value)) throw new TypeError(`${path} is not JSON`);
  for (const [name, field] of Object.entries(value)) if (field !== undefined) assertJson(field, `${path}.${name}`);
}

/** False for dates, maps, buffers and the like, which JSON would change. */
function isRecord(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && !('toJSON' in value && typeof value.toJSON === 'function');
}
