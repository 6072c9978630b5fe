import { existsSync, rmSync } from 'node:fs';
import { asStoreError } from '../sqlite/sqlite-errors.js';
import { openForWriting, type Statements } from '../sqlite/statements.js';
import { StoreDamaged } from '../store-errors.js';
import type { CollectionSpec } from './documents.js';

/** A collection's declared indexes. */
export type Indexes = CollectionSpec['indexes'];

/** Raise when the tables change: files of another format are dropped and rebuilt from the log. */
const FORMAT = 2;

const TABLES = `
  CREATE TABLE IF NOT EXISTS collections(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, indexes TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS checkpoints(projector TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fences(fact TEXT PRIMARY KEY, fence INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version=${FORMAT};`;

/**
 * The value of `collections.indexes`: a list of indexes that have tables or, while a collection is being loaded, an object with the indexes whose tables
 * will be built later from the documents' stored entries.
 */
type StoredIndexes = Indexes | { readonly later: Indexes };

/** Encodes `collections.indexes`. */
export const writeIndexes = (indexes: Indexes, isLoading: boolean): string =>
  JSON.stringify((isLoading && indexes.length > 0 ? { later: indexes } : indexes) satisfies StoredIndexes);

/** Decodes `collections.indexes`. `isIndexed`: whether the indexes have tables. */
export function readIndexes(stored: string): { readonly indexes: Indexes; readonly isIndexed: boolean } {
  const parsed = JSON.parse(stored) as StoredIndexes;
  return 'later' in parsed ? { indexes: parsed.later, isIndexed: false } : { indexes: parsed, isIndexed: true };
}

/** Tables are numbered, because collection names can be any text. */
export const documentTable = (collection: number): string => `c${collection}`;
/** The table of a collection's index, numbered by its place in the declaration. */
export const indexTable = (collection: number, index: number): string => `c${collection}_i${index}`;

/** The existing index tables of a collection. */
export function indexTables(collection: number, stored: string): readonly string[] {
  const { indexes, isIndexed } = readIndexes(stored);
  return isIndexed ? indexes.map((_, index) => indexTable(collection, index)) : [];
}

/** Marker file created when damage is found in use, so that the next start drops the database. */
export const damageMark = (file: string): string => `${file}.damaged`;

/**
 * Opens `read.db`. If it is unusable, drops it and starts empty, because everything in it can be rebuilt, but not under the readers of this process
 * (`isReplacement`). @throws ServiceUnavailable, DiskFull, and StoreDamaged for a replacement
 */
export function openDocumentsFile(file: string, isReplacement = false): { readonly sql: Statements; readonly dropped: string | null } {
  if (isReplacement) return { sql: openChecked(file), dropped: null };
  const marked = existsSync(damageMark(file)) ? 'it was found damaged while in use' : null;
  if (marked) removeDatabase(file);
  try {
    return { sql: openChecked(file), dropped: marked };
  } catch (error) {
    const reason = asStoreError(error, file);
    if (!(reason instanceof StoreDamaged)) throw reason;
    removeDatabase(file);
    return { sql: openChecked(file), dropped: reason.message };
  }
}

function openChecked(file: string): Statements {
  const sql = openForWriting(file, 'NORMAL');
  try {
    // Overwritten and removed documents may hold data of erased users, so their bytes are overwritten too.
    sql.db.exec('PRAGMA secure_delete=ON');
    checkFormat(sql, file);
    sql.db.exec(TABLES);
    for (const { number, indexes } of sql.all<{ number: number; indexes: string }>('SELECT number, indexes FROM collections')) {
      sql.one(`SELECT doc FROM ${documentTable(number)} LIMIT 1`);
      for (const table of indexTables(number, indexes)) sql.one(`SELECT doc FROM ${table} LIMIT 1`);
    }
    return sql;
  } catch (error) {
    sql.forget();
    sql.db.close();
    throw error;
  }
}

function checkFormat(sql: Statements, file: string): void {
  const version = sql.one<{ user_version: number }>('PRAGMA user_version')?.user_version;
  const tables = sql.one<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema')?.count ?? 0;
  if (tables > 0 && version !== FORMAT) throw new StoreDamaged(`its format is ${version}, but this program writes ${FORMAT}`, file, 0);
}

function removeDatabase(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, damageMark(file)]) rmSync(path, { force: true });
}
