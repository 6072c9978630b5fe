import type { Statements } from '../sqlite/statements.js';
import { addEntries, buildIndexes, createIndexTables, entriesOf, NO_ENTRIES, removeEntries } from './document-indexes.js';
import { documentTable, indexTables, readIndexes } from './documents-file.js';
import type { Document } from './documents.js';

/**
 * A document ready to be stored: its JSON (null: a tombstone) and the JSON of its index entries, one per declared index. A tuple, since thousands of them go
 * to the writing thread together: objects would carry their fields' names each time.
 */
export type PreparedWrite = readonly [collection: number, id: string, position: number, body: string | null, entries: string, isNew?: boolean];

/** What the writing thread of `read.db` does; each in a transaction. */
export interface DocumentOperations {
  /**
   * Answers the collection's number: the known one, or a new one with the documents taken over when the indexes are others. `indexes` is what the file is to
   * say of them; those that are to be made later stay complete if they are.
   */
  declare(request: { readonly name: string; readonly indexes: string }): { readonly number: number; readonly isIndexed: boolean };
  save(request: { readonly projector: string; readonly checkpoint: number; readonly writes: readonly PreparedWrite[] }): void;
  /** False when the fact was written with a higher fence. */
  setFact(request: { readonly name: string; readonly value: string; readonly fence: number | null }): boolean;
  /** The value of a fact, whose fence is raised; 'fenced' when it was written with a higher one. */
  takeFact(request: { readonly name: string; readonly fence: number }): { readonly value: string | null } | 'fenced';
  drop(request: { readonly collection: string; readonly projector: string | null }): void;
}

interface StoredRow {
  readonly doc: number;
  readonly position: number;
  readonly entries: string;
}

/** @param sql the connection that writes */
export function documentOperations(sql: Statements): DocumentOperations {
  // Read again after every declaration, since one that fails is rolled back.
  let loading: ReadonlySet<number> | null = null;
  return {
    declare: ({ name, indexes }) => {
      loading = null;
      return declare(sql, name, indexes);
    },
    save: ({ projector, checkpoint, writes }) => {
      loading ??= notIndexed(sql);
      for (const write of writes) saveOne(sql, write, loading);
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

/** False when the fact has a higher fence. */
function raiseFence(sql: Statements, fact: string, fence: number): boolean {
  const stored = sql.one<{ fence: number }>('SELECT fence FROM fences WHERE fact=?', fact)?.fence ?? -Infinity;
  if (fence < stored) return false;
  sql.run('INSERT OR REPLACE INTO fences VALUES(?,?)', fact, fence);
  return true;
}

/** The collections whose indexes have no tables yet. */
function notIndexed(sql: Statements): ReadonlySet<number> {
  const stored = sql.all<{ number: number; indexes: string }>('SELECT number, indexes FROM collections');
  return new Set(stored.filter(({ indexes }) => !readIndexes(indexes).isIndexed).map(({ number }) => number));
}

function saveOne(sql: Statements, write: PreparedWrite, loading: ReadonlySet<number>): void {
  const [collection, id, position, body, entries, isNew] = write;
  const table = documentTable(collection);
  if (loading.has(collection) || (body !== null && entries === NO_ENTRIES)) {
    sql.run(
      `INSERT INTO ${table}(id, position, body, entries) VALUES(?,?,?,?)
       ON CONFLICT(id) DO UPDATE SET position=excluded.position, body=excluded.body, entries=excluded.entries WHERE excluded.position > position`,
      id,
      position,
      body,
      entries,
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

/** False when there is a document under the id: nothing is changed. */
function insertedOne(sql: Statements, [collection, id, position, body, entries]: PreparedWrite): boolean {
  const insert = `INSERT INTO ${documentTable(collection)}(id, position, body, entries) VALUES(?,?,?,?) ON CONFLICT(id) DO NOTHING`;
  const doc = sql.insert(insert, id, position, body, entries);
  if (doc === null) return false;
  addEntries(sql, { collection, id, entries }, doc);
  return true;
}

function declare(sql: Statements, name: string, wanted: string): { readonly number: number; readonly isIndexed: boolean } {
  const { indexes, isIndexed } = readIndexes(wanted);
  const known = sql.one<{ number: number; indexes: string }>('SELECT number, indexes FROM collections WHERE name=?', name);
  if (known !== undefined) {
    const stored = readIndexes(known.indexes);
    if (JSON.stringify(stored.indexes) === JSON.stringify(indexes)) {
      const isNowDue = isIndexed && !stored.isIndexed;
      if (isNowDue) {
        buildIndexes(sql, known.number, indexes);
        sql.run('UPDATE collections SET indexes=? WHERE number=?', wanted, known.number);
      }
      return { number: known.number, isIndexed: isIndexed || stored.isIndexed };
    }
  }
  return { number: createAgain(sql, { name, wanted, known: known?.number ?? null }), isIndexed };
}

/** A collection with new indexes, and the documents that it had. */
function createAgain(sql: Statements, { name, wanted, known }: { readonly name: string; readonly wanted: string; readonly known: number | null }): number {
  const documents =
    known === null ? [] : sql.all<{ id: string; position: number; body: string | null }>(`SELECT id, position, body FROM ${documentTable(known)}`);
  if (known !== null) dropTables(sql, name);
  const number = createTables(sql, name, wanted);
  const { indexes, isIndexed } = readIndexes(wanted);
  const loading = new Set(isIndexed ? [] : [number]);
  for (const { id, position, body } of documents) {
    saveOne(sql, [number, id, position, body, entriesOf(indexes, body === null ? null : (JSON.parse(body) as Document))], loading);
  }
  return number;
}

function createTables(sql: Statements, name: string, stored: string): number {
  const added = sql.one<{ number: number }>('INSERT INTO collections(name, indexes) VALUES(?,?) RETURNING number', name, stored);
  if (!added) throw new Error(`the collection ${name} was not added`);
  const { number } = added;
  sql.db.exec(
    `CREATE TABLE ${documentTable(number)}(doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, body TEXT, entries TEXT NOT NULL)`,
  );
  const { indexes, isIndexed } = readIndexes(stored);
  if (isIndexed) createIndexTables(sql, number, indexes);
  return number;
}

function dropTables(sql: Statements, name: string): void {
  const known = sql.one<{ number: number; indexes: string }>('SELECT number, indexes FROM collections WHERE name=?', name);
  if (!known) return;
  sql.forget();
  for (const table of indexTables(known.number, known.indexes)) sql.db.exec(`DROP TABLE ${table}`);
  sql.db.exec(`DROP TABLE ${documentTable(known.number)}`);
  sql.run('DELETE FROM collections WHERE number=?', known.number);
}
