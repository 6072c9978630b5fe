import { DatabaseSync } from '@photostructure/sqlite';
import { createPrivately } from './private-file.js';

/** The library's connection. */
export type Database = InstanceType<typeof DatabaseSync>;

type Value = string | number | null;

/** The library cuts texts at a NUL character, so that an id followed by one would find what the id alone does. No id contains this character. */
const INSTEAD_OF_NUL = '\uffff';
const bound = (values: readonly Value[]): Value[] => values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', INSTEAD_OF_NUL) : value));

/** A connection that prepares each statement once. Row types are the caller's promise about its SQL. */
export class Statements {
  readonly #prepared = new Map<string, ReturnType<Database['prepare']>>();

  constructor(readonly db: Database) {}

  /** The first row, or undefined. */
  one<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#statement(sql).get(...bound(values)) as Row | undefined;
  }

  /** Every row. */
  all<Row>(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#statement(sql).all(...bound(values)) as readonly Row[];
  }

  /** Runs a change. @returns the number of changed rows */
  run(sql: string, ...values: readonly Value[]): number {
    return this.#statement(sql).run(...bound(values)).changes;
  }

  /** Inserts a row. @returns its rowid, null if it was not inserted */
  insert(sql: string, ...values: readonly Value[]): number | null {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...bound(values));
    return changes === 0 ? null : Number(lastInsertRowid);
  }

  /** All reads of `work` see one snapshot. */
  inOneRead<T>(work: () => T): T {
    this.run('BEGIN');
    try {
      return work();
    } finally {
      // After some failures SQLite has already ended the transaction.
      if (this.db.isTransaction) this.run('COMMIT');
    }
  }

  /** Drops prepared statements, for example after tables were dropped. */
  forget(): void {
    this.#prepared.clear();
  }

  #statement(sql: string): ReturnType<Database['prepare']> {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

/** A read-only connection for the main thread that sees the latest commit. */
export function openForReading(file: string): Statements {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('PRAGMA busy_timeout=1000; PRAGMA cache_size=-65536');
  return new Statements(db);
}

/** A connection in WAL mode for the only writer thread. FULL syncs every commit; with NORMAL a power cut may lose the last commits, each as a whole. */
export function openForWriting(file: string, synchronous: 'FULL' | 'NORMAL'): Statements {
  createPrivately(file);
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout=5000; PRAGMA journal_mode=WAL');
    // Set after the journal mode, which resets it.
    // Few, large checkpoints, because each one syncs the file.
    db.exec(`PRAGMA synchronous=${synchronous}; PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=16000; PRAGMA journal_size_limit=134217728`);
    // With spilling, a rolled-back transaction would leave frames in the write-ahead log that a later check takes for damage.
    db.exec('PRAGMA cache_spill=OFF');
  } catch (error) {
    db.close();
    throw error;
  }
  return new Statements(db);
}
