import { randomUUID } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { cutWal } from '../sqlite/wal-file.js';
import { STREAM_OF_RUN } from './log-runs.js';
import { faultOf } from '../sqlite/sqlite-errors.js';
import { createPrivately } from '../sqlite/private-file.js';

/** An open connection; `node:sqlite` has the same interface. */
export type Database = InstanceType<typeof DatabaseSync>;

type Statement = ReturnType<Database['prepare']>;

/** All rows of a query. `Row` is the caller's promise about the selected columns. */
export const rowsOf = <Row>(statement: Statement, ...parameters: (string | number)[]): Row[] => statement.all(...parameters) as Row[];

/** The first row of a query, typed as in {@link rowsOf}. */
export const rowOf = <Row>(statement: Statement, ...parameters: (string | number)[]): Row | undefined => statement.get(...parameters) as Row | undefined;

/** A position with the chained checksum of its row (empty for position 0). */
export interface Mark {
  readonly position: Position;
  readonly sum: string;
}

const PAGE_SIZE = 4096;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS streams(sid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS events(position INTEGER PRIMARY KEY, sid INTEGER NOT NULL, revision INTEGER NOT NULL, sum TEXT NOT NULL, body TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS events_of_stream ON events(sid, revision);
`;
/** A view for analysts, spelled exactly as SQLite stores it, for comparison. */
const VIEW = `CREATE VIEW log AS
    SELECT position, ${STREAM_OF_RUN} AS stream, revision, body ->> 'id' AS id, body ->> 'type' AS type, body -> 'data' AS data, body -> 'meta' AS meta
    FROM events JOIN streams USING (sid)`;

/** Opens the log for its only writer, creates missing tables, and checkpoints frames that a crash left in the write-ahead log. */
export function openForWriting(file: string): Database {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    db.exec(`PRAGMA page_size=${PAGE_SIZE}; PRAGMA journal_mode=WAL`);
    // Set after the journal mode, which resets it.
    db.exec('PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=16000; PRAGMA journal_size_limit=134217728');
    // With spilling, a rolled-back transaction would leave frames in the write-ahead log.
    db.exec('PRAGMA cache_size=-65536; PRAGMA cache_spill=OFF');
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA}`);
    renewView(db);
    db.prepare("INSERT OR IGNORE INTO facts VALUES('identity', ?)").run(randomUUID());
    db.exec('COMMIT');
    checkpoint(db);
    cutWal(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Replaces the view only if it differs, so that an up-to-date log is opened without writing. */
function renewView(db: Database): void {
  const view = rowOf<{ sql: string }>(db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = 'log'"));
  if (view?.sql !== VIEW) db.exec(`DROP VIEW IF EXISTS log; ${VIEW}`);
}

/** On a full disk the frames remain in the write-ahead log and are read from there. */
function checkpoint(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (faultOf(error) !== 'full') throw error;
  }
}

/** Opens the log for reading, with or without a running writer. */
export function openForReading(file: string): Database {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    db.exec('PRAGMA cache_size=-65536');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Locks the log against other writers. The operating system releases the lock when the process ends.
 * @throws the SQLite error 'busy' when another process holds it
 */
export function lockLog(file: string): Database {
  createPrivately(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The newest row, or position 0. */
export function newestRow(db: Database): Mark {
  const row = rowOf<Mark>(db.prepare('SELECT position, sum FROM events ORDER BY position DESC LIMIT 1'));
  return row ?? { position: 0, sum: '' };
}

/** A fact of the log file: `identity`, `verified`, `checked`. */
export function readFact(db: Database, name: string): string | null {
  const row = rowOf<{ value: string }>(db.prepare('SELECT value FROM facts WHERE name = ?'), name);
  return row?.value ?? null;
}

/** False for a file without tables, which a process killed during its first start leaves behind. */
export function hasSchema(db: Database): boolean {
  return db.prepare("SELECT 1 AS found FROM sqlite_schema WHERE name = 'facts'").get() !== undefined;
}
