import type { Document } from '../documents/documents.js';

/** A body as it lies in MongoDB. What BSON cannot hold as it is (see {@link packBody}) is escaped, and `packed` says so. */
export interface PackedBody {
  readonly body: Document;
  readonly packed?: true;
}

/** Keys that MongoDB or its driver read as something else: operators, paths, ends of text, types, prototypes. */
const STRANGE_KEY = /^$|^\$|[.\0]|^_bsontype$|^__proto__$/;
const ESCAPED = /[%.$\0]|^_(?=bsontype$|_proto__$)|\p{Surrogate}/gu;
/** What a text with half a character begins with; then comes its JSON. */
const MARK = '\uffff';

/**
 * Prepares a body: fields keep their names and values, so that they can be indexed and looked at; only a body with strange keys, half characters or what
 * JSON writes differently (-0, NaN, dates) is turned into JSON's form with these keys and texts escaped.
 */
export function packBody(body: Document): PackedBody {
  return isStrange(body) ? { body: mapped(JSON.parse(JSON.stringify(body)), escapeKey, packText) as Document, packed: true } : { body };
}

/** The body that {@link packBody} was given, as JSON gives it back. */
export const unpackBody = ({ body, packed }: PackedBody): Document => (packed === true ? (mapped(body, unescapeKey, unpackText) as Document) : body);

/** A value as it lies in a packed body: what an index is searched by. */
export const packValue = <Value>(value: Value): Value | string => (typeof value === 'string' ? packText(value) : value);

/** About as many octets as a body takes, rather more than less. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return 8 + value.length * 3;
  if (typeof value !== 'object' || value === null) return 10;
  return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + 2 + weightOf(each), 8);
}

function isStrange(value: unknown): boolean {
  if (typeof value === 'string') return isStrangeText(value);
  if (typeof value === 'number') return !Number.isFinite(value) || Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(isStrange);
  return 'toJSON' in value || Object.entries(value).some(([key, each]) => STRANGE_KEY.test(key) || isStrangeText(key) || isStrange(each));
}

const isStrangeText = (text: string): boolean => text.startsWith(MARK) || (/[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text));

const packText = (text: string): string => (isStrangeText(text) ? MARK + JSON.stringify(text) : text);
const unpackText = (text: string): string => (text.startsWith(MARK) ? String(JSON.parse(text.slice(MARK.length))) : text);

const escapeKey = (key: string): string => (key === '' ? '%' : key.replace(ESCAPED, (each) => `%${each.charCodeAt(0).toString(16).padStart(4, '0')}`));
const unescapeKey = (key: string): string =>
  key === '%' ? '' : key.replaceAll(/%([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function mapped(value: unknown, keyOf: (key: string) => string, textOf: (text: string) => string): unknown {
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapped(each, keyOf, textOf));
  // Assigning `__proto__` would set the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [keyOf(key), mapped(each, keyOf, textOf)]));
}
