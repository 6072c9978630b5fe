import type { Document } from '../documents/documents.js';

/** A body as stored in MongoDB. `packed` marks bodies that BSON cannot hold unchanged and that were escaped (see {@link packBody}). */
export interface PackedBody {
  readonly body: Document;
  readonly packed?: true;
}

/** Keys that MongoDB or its driver would misread as operators, paths, string ends, types or prototypes. */
const STRANGE_KEY = /^$|^\$|[.\0]|^_bsontype$|^__proto__$/;
const ESCAPED = /[%.$\0]|^_(?=bsontype$|_proto__$)|\p{Surrogate}/gu;
/** Prefix of a text with lone surrogates, followed by its JSON. */
const MARK = '\uffff';

/**
 * Prepares a body for storage. Fields normally keep their names and values, so that they can be indexed and inspected. Bodies with special keys, lone
 * surrogates or values that JSON changes (-0, NaN, dates) are converted as by JSON, with those keys and texts escaped.
 */
export function packBody(body: Document): PackedBody {
  return isStrange(body) ? { body: mapped(JSON.parse(JSON.stringify(body)), escapeKey, packText) as Document, packed: true } : { body };
}

/** The inverse of {@link packBody}, up to JSON's conversions. */
export const unpackBody = ({ body, packed }: PackedBody): Document => (packed === true ? (mapped(body, unescapeKey, unpackText) as Document) : body);

/** A value as stored in a packed body, for index searches. */
export const packValue = <Value>(value: Value): Value | string => (typeof value === 'string' ? packText(value) : value);

/** An upper estimate of a body's size in bytes. */
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
