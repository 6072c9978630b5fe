import { existsSync, rmSync } from 'node:fs';
import { asStoreError } from '../sqlite/sqlite-errors.js';
import { openForWriting, type Statements } from '../sqlite/statements.js';
import { StoreDamaged } from '../store-errors.js';

/** Raise when the tables change: files of another format are dropped and rebuilt from the log. */
const FORMAT = 2;

const TABLES = `
  CREATE TABLE IF NOT EXISTS collections(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, indexes TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS checkpoints(projector TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fences(fact TEXT PRIMARY KEY, fence INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version=${FORMAT};`;

/** Tables are numbered, because collection names can be any text. */
export const documentTable = (collection: number): string => `c${collection}`;
/** The table of a collection's index, numbered by its place in the declaration. */
export const indexTable = (collection: number, index: number): string => `c${collection}_i${index}`;

/** Marker file created when damage is found in use, so that the next start drops the database. */
export const damageMark = (file: string): string => `${file}.damaged`;

/** Opens `read.db`. If it is unusable, drops it and starts empty, because everything in it can be rebuilt. @throws StoreAway, DiskFull */
export function openDocumentsFile(file: string): { readonly sql: Statements; readonly dropped: string | null } {
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
      const { length } = JSON.parse(indexes) as readonly unknown[];
      for (let index = 0; index < length; index++) sql.one(`SELECT doc FROM ${indexTable(number, index)} LIMIT 1`);
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
