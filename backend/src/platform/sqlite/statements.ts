import { DatabaseSync } from '@photostructure/sqlite';

/** The connection as the library gives it. */
export type Database = InstanceType<typeof DatabaseSync>;

type Value = string | number | null;

/** A connection that prepares each statement once. The row types are the caller's promise about its own SQL. */
export class Statements {
  readonly #prepared = new Map<string, ReturnType<Database['prepare']>>();

  constructor(readonly db: Database) {}

  /** The first row, or undefined. */
  one<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  /** Every row. */
  all<Row>(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#statement(sql).all(...values) as readonly Row[];
  }

  /** Runs a change; says how many rows it touched. */
  run(sql: string, ...values: readonly Value[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  /** Inserts a row; says its number, null when it was not inserted. */
  insert(sql: string, ...values: readonly Value[]): number | null {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return changes === 0 ? null : Number(lastInsertRowid);
  }

  /** Everything that `work` reads, it reads as of one moment. */
  inOneRead<T>(work: () => T): T {
    this.run('BEGIN');
    try {
      return work();
    } finally {
      // After some failures SQLite has ended it by itself.
      if (this.db.isTransaction) this.run('COMMIT');
    }
  }

  /** Forgets what was prepared, as after tables went. */
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

/** A connection that cannot write and sees what was committed last, for the main thread. */
export function openForReading(file: string): Statements {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('PRAGMA busy_timeout=1000; PRAGMA cache_size=-65536');
  return new Statements(db);
}

/** A connection in WAL mode, for the one writing thread. FULL brings every commit to the disk before it returns; NORMAL may lose the last ones in a power cut, whole. */
export function openForWriting(file: string, synchronous: 'FULL' | 'NORMAL'): Statements {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout=5000; PRAGMA journal_mode=WAL');
    // Set after the journal mode: changing that sets it back.
    // Few, large checkpoints: each one flushes the whole file to the disk.
    db.exec(`PRAGMA synchronous=${synchronous}; PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=16000; PRAGMA journal_size_limit=134217728`);
    // Without spilling a rolled back transaction leaves no frames in the write-ahead log, where a later check would take them for damage.
    db.exec('PRAGMA cache_spill=OFF');
  } catch (error) {
    db.close();
    throw error;
  }
  return new Statements(db);
}
