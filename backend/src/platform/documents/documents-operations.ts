import { indexEntry, type IndexEntry, type IndexKey } from '../sqlite/index-entries.js';
import type { Statements } from '../sqlite/statements.js';
import { documentTable, indexTable } from './documents-file.js';
import type { CollectionSpec, Document } from './documents.js';

export type Indexes = CollectionSpec['indexes'];

/**
 * A document ready to be stored: its JSON (null: a tombstone) and the JSON of its index entries, one per declared index. A tuple, because thousands are sent
 * to the writer thread at once and objects would repeat their field names.
 */
export type PreparedWrite = readonly [collection: number, id: string, position: number, body: string | null, entries: string, isNew?: boolean];

/** The operations of the writer thread of `read.db`, each in a transaction. */
export interface DocumentOperations {
  /** Returns the collection's number. If the indexes changed, it is a new one with the documents copied over. */
  declare(request: { readonly name: string; readonly indexes: string }): number;
  save(request: { readonly projector: string; readonly checkpoint: number; readonly writes: readonly PreparedWrite[] }): void;
  /** False if the fact was written with a higher fence. */
  setFact(request: { readonly name: string; readonly value: string; readonly fence: number | null }): boolean;
  /** Raises a fact's fence and returns its value; 'fenced' if it was written with a higher one. */
  takeFact(request: { readonly name: string; readonly fence: number }): { readonly value: string | null } | 'fenced';
  drop(request: { readonly collection: string; readonly projector: string | null }): void;
}

interface StoredRow {
  readonly doc: number;
  readonly position: number;
  readonly entries: string;
}

/** The entries of a document in a collection without indexes, and of a tombstone. */
const NO_ENTRIES = '[]';

/** The JSON of a document's entries. */
export const entriesOf = (indexes: Indexes, body: Document | null): string =>
  body === null || indexes.length === 0 ? NO_ENTRIES : JSON.stringify(indexes.map((index) => indexEntry(body, index)));

/** @param sql the connection that writes */
export function documentOperations(sql: Statements): DocumentOperations {
  return {
    declare: ({ name, indexes }) => declare(sql, name, indexes),
    save: ({ projector, checkpoint, writes }) => {
      for (const write of writes) saveOne(sql, write);
      sql.run(
        'INSERT INTO checkpoints VALUES(?,?) ON CONFLICT(projector) DO UPDATE SET position=excluded.position WHERE excluded.position > position',
        projector,
        checkpoint,
      );
    },
    setFact: ({ name, value, fence }) => {
      if (fence !== null && !raiseFence(sql, name, fence)) return false;
      sql.run('INSERT OR REPLACE INTO facts VALUES(?,?)', name, value);
      return true;
    },
    takeFact: ({ name, fence }) =>
      raiseFence(sql, name, fence) ? { value: sql.one<{ value: string }>('SELECT value FROM facts WHERE name=?', name)?.value ?? null } : 'fenced',
    drop: ({ collection, projector }) => {
      dropTables(sql, collection);
      if (projector !== null) sql.run('DELETE FROM checkpoints WHERE projector=?', projector);
    },
  };
}

/** False if the fact has a higher fence. */
function raiseFence(sql: Statements, fact: string, fence: number): boolean {
  const stored = sql.one<{ fence: number }>('SELECT fence FROM fences WHERE fact=?', fact)?.fence ?? -Infinity;
  if (fence < stored) return false;
  sql.run('INSERT OR REPLACE INTO fences VALUES(?,?)', fact, fence);
  return true;
}

function saveOne(sql: Statements, write: PreparedWrite): void {
  const [collection, id, position, body, entries, isNew] = write;
  const table = documentTable(collection);
  if (body !== null && entries === NO_ENTRIES) {
    sql.run(
      `INSERT INTO ${table}(id, position, body, entries) VALUES(?,?,?,?)
       ON CONFLICT(id) DO UPDATE SET position=excluded.position, body=excluded.body WHERE excluded.position > position`,
      id,
      position,
      body,
      NO_ENTRIES,
    );
    return;
  }
  if (isNew === true && insertedOne(sql, write)) return;
  const stored = sql.one<StoredRow>(`SELECT doc, position, entries FROM ${table} WHERE id=?`, id);
  if (!stored) {
    insertedOne(sql, write);
    return;
  }
  if (position <= stored.position) return;
  sql.run(`UPDATE ${table} SET position=?, body=?, entries=? WHERE doc=?`, position, body, entries, stored.doc);
  // Most changes touch no indexed field.
  if (entries === stored.entries) return;
  removeEntries(sql, { collection, id, entries: stored.entries });
  addEntries(sql, { collection, id, entries }, stored.doc);
}

/** False, changing nothing, if the id exists. */
function insertedOne(sql: Statements, [collection, id, position, body, entries]: PreparedWrite): boolean {
  const insert = `INSERT INTO ${documentTable(collection)}(id, position, body, entries) VALUES(?,?,?,?) ON CONFLICT(id) DO NOTHING`;
  const doc = sql.insert(insert, id, position, body, entries);
  if (doc === null) return false;
  addEntries(sql, { collection, id, entries }, doc);
  return true;
}

/** A document's index entries. */
interface Indexed {
  readonly collection: number;
  readonly id: string;
  readonly entries: string;
}

function addEntries(sql: Statements, indexed: Indexed, doc: number): void {
  eachEntry(indexed, (table, key, sort) => sql.run(`INSERT INTO ${table} VALUES(?,?,?,?)`, key, sort, indexed.id, doc));
}

function removeEntries(sql: Statements, indexed: Indexed): void {
  eachEntry(indexed, (table, key, sort) => sql.run(`DELETE FROM ${table} WHERE key=? AND sort=? AND id=?`, key, sort, indexed.id));
}

function eachEntry({ collection, entries }: Indexed, act: (table: string, key: IndexKey, sort: string | number) => void): void {
  const parsed = JSON.parse(entries) as readonly IndexEntry[];
  parsed.forEach(([keys, sort], index) => {
    for (const key of keys) act(indexTable(collection, index), key, sortKey(sort));
  });
}

/** A document without the sorted field comes first, before every number. */
export const sortKey = (sort: string | number | null): string | number => sort ?? -Infinity;

function declare(sql: Statements, name: string, indexes: string): number {
  const known = sql.one<{ number: number; indexes: string }>('SELECT number, indexes FROM collections WHERE name=?', name);
  if (known?.indexes === indexes) return known.number;
  const documents = known
    ? sql.all<{ id: string; position: number; body: string | null }>(`SELECT id, position, body FROM ${documentTable(known.number)}`)
    : [];
  if (known) dropTables(sql, name);
  const number = createTables(sql, name, indexes);
  const parsed = JSON.parse(indexes) as Indexes;
  for (const { id, position, body } of documents) {
    saveOne(sql, [number, id, position, body, entriesOf(parsed, body === null ? null : (JSON.parse(body) as Document))]);
  }
  return number;
}

function createTables(sql: Statements, name: string, indexes: string): number {
  const added = sql.one<{ number: number }>('INSERT INTO collections(name, indexes) VALUES(?,?) RETURNING number', name, indexes);
  if (!added) throw new Error(`the collection ${name} was not added`);
  const { number } = added;
  sql.db.exec(
    `CREATE TABLE ${documentTable(number)}(doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, body TEXT, entries TEXT NOT NULL)`,
  );
  const { length } = JSON.parse(indexes) as Indexes;
  for (let index = 0; index < length; index++) {
    // No types on key and sort: numbers stay numbers and text stays text.
    sql.db.exec(
      `CREATE TABLE ${indexTable(number, index)}(key NOT NULL, sort NOT NULL, id TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY(key, sort, id)) WITHOUT ROWID`,
    );
  }
  return number;
}

function dropTables(sql: Statements, name: string): void {
  const known = sql.one<{ number: number; indexes: string }>('SELECT number, indexes FROM collections WHERE name=?', name);
  if (!known) return;
  sql.forget();
  const { length } = JSON.parse(known.indexes) as Indexes;
  for (let index = 0; index < length; index++) sql.db.exec(`DROP TABLE ${indexTable(known.number, index)}`);
  sql.db.exec(`DROP TABLE ${documentTable(known.number)}`);
  sql.run('DELETE FROM collections WHERE number=?', known.number);
}
