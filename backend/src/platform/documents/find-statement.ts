import { indexKey } from '../sqlite/index-entries.js';
import { sortKey } from './document-indexes.js';
import { documentTable, type Indexes, indexTable } from './documents-file.js';
import type { FindQuery, MatchQuery } from './documents.js';

/** The most documents that one search gives. */
const MOST = 1000;
const USUAL = 100;

/** The SQL of a search and its values. @throws Error when no declared index serves it */
export function findStatement(collection: number, indexes: Indexes, query: FindQuery): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const key = indexKey(query.where.value);
  if (key === null) throw new Error(`${query.where.field} cannot be searched by this value`);
  const index = indexTable(collection, chooseIndex(indexes, query));
  const { order, past, place } = orderOf(query);
  const sql = `SELECT d.body FROM ${index} e CROSS JOIN ${documentTable(collection)} d ON d.doc = e.doc WHERE e.key = ?${past} ORDER BY ${order} LIMIT ?`;
  return { sql, values: [key, ...place, Math.min(query.limit ?? USUAL, MOST)] };
}

/** The SQL of a page of what an index finds, and its values. @throws Error when no declared index serves it */
export function matchStatement(
  collection: number,
  indexes: Indexes,
  { where, after, limit }: MatchQuery,
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const key = indexKey(where.value);
  if (key === null) throw new Error(`${where.field} cannot be searched by this value`);
  const index = indexTable(collection, chooseIndex(indexes, { where }));
  const past = after === undefined ? '' : ' AND e.id > ?';
  const sql = `SELECT d.id, d.body, d.position FROM ${index} e CROSS JOIN ${documentTable(collection)} d ON d.doc = e.doc WHERE e.key = ?${past} ORDER BY e.id LIMIT ?`;
  return { sql, values: [key, ...(after === undefined ? [] : [after]), Math.min(limit, MOST)] };
}

function chooseIndex(indexes: Indexes, { where, sort }: Pick<FindQuery, 'where' | 'sort'>): number {
  const sorted = indexes.findIndex((index) => index.field === where.field && index.sort !== undefined);
  const unsorted = indexes.findIndex((index) => index.field === where.field && index.sort === undefined);
  const chosen = sort === undefined && unsorted >= 0 ? unsorted : sorted;
  if (chosen < 0) throw new Error(`${where.field} is not a declared index${sort === undefined ? '' : ' with a sort'}`);
  return chosen;
}

function orderOf({ sort, after }: FindQuery): { readonly order: string; readonly past: string; readonly place: readonly (string | number)[] } {
  if (sort === undefined) return { order: 'e.id', past: after ? ' AND e.id > ?' : '', place: after ? [after.id] : [] };
  const [direction, sign] = sort === 'ascending' ? ['ASC', '>'] : ['DESC', '<'];
  return {
    order: `e.sort ${direction}, e.id ${direction}`,
    past: after ? ` AND (e.sort, e.id) ${sign} (?, ?)` : '',
    place: after ? [sortKey(after.sort ?? null), after.id] : [],
  };
}
