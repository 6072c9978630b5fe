import { indexEntry, type IndexEntry, type IndexKey } from '../sqlite/index-entries.js';
import type { Statements } from '../sqlite/statements.js';
import { documentTable, type Indexes, indexTable } from './documents-file.js';
import type { Document } from './documents.js';

/** The entries of a document in a collection without indexes, and of a tombstone. */
export const NO_ENTRIES = '[]';

/** What the indexes of a collection hold of a document. */
export interface Indexed {
  readonly collection: number;
  readonly id: string;
  readonly entries: string;
}

/** The JSON of a document's entries. */
export function entriesOf(indexes: Indexes, body: Document | null): string {
  const [first, second] = indexes;
  if (body === null || first === undefined) return NO_ENTRIES;
  const entry = indexEntry(body, first);
  const [[key, other], sort] = entry;
  // Most documents have one key in one index; writing that out takes a fraction of the time, which counts in a rebuild.
  if (second === undefined && sort === null && other === undefined && key !== undefined) return `[[[${JSON.stringify(key)}],null]]`;
  return JSON.stringify(indexes.map((index) => indexEntry(body, index)));
}

/** A document without the sorted field comes first, before every number. */
export const sortKey = (sort: string | number | null): string | number => sort ?? -Infinity;

/** Adds a document's entries to the tables of its collection's indexes. */
export function addEntries(sql: Statements, indexed: Indexed, doc: number): void {
  eachEntry(indexed, (table, key, sort) => sql.run(`INSERT INTO ${table} VALUES(?,?,?,?)`, key, sort, indexed.id, doc));
}

/** Removes a document's entries from the tables of its collection's indexes. */
export function removeEntries(sql: Statements, indexed: Indexed): void {
  eachEntry(indexed, (table, key, sort) => sql.run(`DELETE FROM ${table} WHERE key=? AND sort=? AND id=?`, key, sort, indexed.id));
}

/** Makes the tables of a collection's indexes, empty. */
export function createIndexTables(sql: Statements, collection: number, indexes: Indexes): void {
  for (let index = 0; index < indexes.length; index++) {
    // No types on key and sort: numbers stay numbers and text stays text.
    sql.db.exec(
      `CREATE TABLE ${indexTable(collection, index)}(key NOT NULL, sort NOT NULL, id TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY(key, sort, id)) WITHOUT ROWID`,
    );
  }
}

/** Makes the tables of a collection's indexes from the entries of its documents: in their order, which is several times as fast as one document after another. */
export function buildIndexes(sql: Statements, collection: number, indexes: Indexes): void {
  createIndexTables(sql, collection, indexes);
  const table = documentTable(collection);
  // SQLite reads a few escapes of JSON otherwise than JavaScript does, NUL and halves of a pair among them.
  const isEscaped = String.raw`instr(entries, '\u') > 0`;
  for (let index = 0; index < indexes.length; index++) {
    sql.run(
      `INSERT INTO ${indexTable(collection, index)}
       SELECT found.value, coalesce(json_extract(entries, '$[${index}][1]'), -9e999), ${table}.id, doc
       FROM ${table}, json_each(entries, '$[${index}][0]') AS found WHERE NOT ${isEscaped} ORDER BY 1, 2, 3`,
    );
  }
  const escaped = sql.all<{ doc: number; id: string; entries: string }>(`SELECT doc, id, entries FROM ${table} WHERE ${isEscaped}`);
  for (const { doc, id, entries } of escaped) addEntries(sql, { collection, id, entries }, doc);
}

function eachEntry({ collection, entries }: Indexed, act: (table: string, key: IndexKey, sort: string | number) => void): void {
  const parsed = JSON.parse(entries) as readonly IndexEntry[];
  parsed.forEach(([keys, sort], index) => {
    for (const key of keys) act(indexTable(collection, index), key, sortKey(sort));
  });
}
