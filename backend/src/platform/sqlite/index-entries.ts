import type { Document } from '../documents/documents.js';

/** A value as stored in an index. Texts and booleans are prefixed, so that '1', 1 and true remain distinct. */
export type IndexKey = string | number;

/** A document's entry in one index: its keys, and its sort value (null if it has no sortable one). */
export type IndexEntry = readonly [keys: readonly IndexKey[], sort: string | number | null];

/** The index key of a value; null if it cannot be searched for (null, objects). */
export function indexKey(value: unknown): IndexKey | null {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  return null;
}

/** A document's entry in one index. Dots reach into objects, and into each object of a list. */
export function indexEntry(body: Document, index: { readonly field: string; readonly sort?: string }): IndexEntry {
  const plain = index.sort === undefined && !index.field.includes('.') ? body[index.field] : null;
  if (typeof plain === 'string') return [[`s${plain}`], null];
  const keys = new Set<IndexKey>();
  for (const value of reach(body, index.field.split('.'))) {
    const key = indexKey(value);
    if (key !== null) keys.add(key);
  }
  if (index.sort === undefined) return [[...keys], null];
  const [sort, ...others] = reach(body, index.sort.split('.'));
  const sortable = others.length === 0 && (typeof sort === 'string' || typeof sort === 'number');
  return [[...keys], sortable ? sort : null];
}

function reach(value: unknown, path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return Array.isArray(value) ? value : [value];
  if (Array.isArray(value)) return value.flatMap((member) => (Array.isArray(member) ? [] : reach(member, path)));
  return isObject(value) && Object.hasOwn(value, name) ? reach(value[name], rest) : [];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
