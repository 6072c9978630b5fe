import type { Document } from '../documents/documents.js';

/** What a value is stored as in an index: text and truth values are marked, so that '1', 1 and true stay three things. */
export type IndexKey = string | number;

/** What one index holds of a document: the keys it is found by, and the value it is sorted by (null when it has none that can be sorted). */
export type IndexEntry = readonly [keys: readonly IndexKey[], sort: string | number | null];

/** The index key of a searched value; null for what cannot be searched (null, objects). */
export function indexKey(value: unknown): IndexKey | null {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  return null;
}

/** The entry of one document in one index. Dots reach into objects, and into each object of a list. */
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
