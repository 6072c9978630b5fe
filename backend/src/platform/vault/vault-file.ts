import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { openForWriting, type Statements } from '../sqlite/statements.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { StoreDamaged } from '../store-errors.js';

const FORMAT = 1;

/** Files up to this many bytes get a full integrity check at each start; larger ones would delay it. */
const CHECKED_SIZE = 32 * 1024 * 1024;

const TABLES = `
  CREATE TABLE collections(name TEXT PRIMARY KEY, indexes TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE records(rec INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, keys TEXT NOT NULL, UNIQUE(collection, id));
  CREATE TABLE entries(collection TEXT NOT NULL, field TEXT NOT NULL, key NOT NULL, id TEXT NOT NULL, rec INTEGER NOT NULL, PRIMARY KEY(collection, field, key, id)) WITHOUT ROWID;
  CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO counters VALUES('version', 0);
  PRAGMA user_version=${FORMAT};`;

/**
 * Opens `vault.db`, readable only by its owner. Refuses damaged files and never drops or repairs anything. `isReplacement`: this process reads the file, so its
 * write-ahead log is in use and was checked. @throws StoreDamaged, ServiceUnavailable, DiskFull
 */
export function openVaultFile(file: string, isReplacement = false): Statements {
  if (!isReplacement) prepareFile(file);
  const sql = openForWriting(file, 'FULL');
  try {
    // Removed records were secret, so their bytes are overwritten in the file.
    sql.db.exec('PRAGMA secure_delete=ON');
    // Opening an existing vault does not write to it, because it may belong to another key.
    if (isEmpty(sql, file)) sql.db.exec(`BEGIN; ${TABLES} COMMIT;`);
    return sql;
  } catch (error) {
    sql.forget();
    sql.db.close();
    throw error;
  }
}

function prepareFile(file: string): void {
  // SQLite treats a bad frame as the end of its write-ahead log and silently loses acknowledged commits after it.
  checkWalOf(file);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** False for a vault of this format. @throws Error for one of another format, StoreDamaged */
function isEmpty(sql: Statements, file: string): boolean {
  const version = sql.one<{ user_version: number }>('PRAGMA user_version')?.user_version;
  const tables = sql.one<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema')?.count ?? 0;
  if (tables > 0 && version !== FORMAT) throw new Error(`${file} has format ${version}, but this program supports ${FORMAT}`);
  const found = statSync(file).size > CHECKED_SIZE ? 'ok' : sql.one<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check;
  if (found !== 'ok') throw new StoreDamaged(found ?? 'the integrity check returned nothing', file, 0);
  return tables === 0;
}
