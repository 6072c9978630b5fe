import { parentPort } from 'node:worker_threads';
import { packError } from './sqlite-errors.js';
import type { Statements } from './statements.js';
import { cutWal } from './wal-file.js';
import type { Operations, ToWriter, WriteCall, WriteOutcome, WriterMessage } from './write-calls.js';

/** An opened file and what can be done to it; `dropped` says why an unusable file was thrown away, where that is allowed. */
export interface ServedFile<Ops> {
  readonly sql: Statements;
  readonly operations: Ops;
  readonly dropped?: string | null;
}

/** The body of a writing thread: opens the file it is told of and does what `SqliteWriter` asks, a group of calls in one transaction; one file after the other. */
export function serveWrites<Ops extends Operations<Ops>>(open: (file: string) => ServedFile<Ops>): void {
  if (!parentPort) throw new Error('this module runs in a worker thread');
  const port = parentPort;
  const say = (message: WriterMessage) => port.postMessage(message);
  let served: (ServedFile<Ops> & { readonly file: string }) | null = null;
  const begin = (file: string): void => {
    try {
      served = { ...open(file), file };
      say({ opened: true, dropped: served.dropped ?? null });
    } catch (error) {
      say({ opened: false, error: packError(error, file) });
    }
  };
  port.on('message', (message: ToWriter) => {
    if (typeof message === 'object' && 'open' in message) return begin(message.open);
    if (served === null) throw new Error('the writing thread has no file open');
    if (message !== 'close') return say({ outcomes: runGroup(served, message) });
    closeFile(served.sql);
    served = null;
    say('closed');
  });
}

function closeFile(sql: Statements): void {
  sql.forget();
  try {
    // Closing alone leaves the WAL as it is while a prepared statement waits for the garbage collector.
    sql.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Everything acknowledged is in the WAL, which the next opening reads.
  }
  sql.db.close();
}

/** All calls in one transaction; when one of them fails, each again in its own, so that it fails alone. */
function runGroup<Ops extends Operations<Ops>>(
  { sql, operations, file }: ServedFile<Ops> & { readonly file: string },
  group: readonly WriteCall[],
): readonly WriteOutcome[] {
  const handlers = new Map<string, (request: never) => unknown>(Object.entries(operations));
  const perform = ({ kind, request }: WriteCall): WriteOutcome => {
    const handler = handlers.get(kind);
    if (!handler) throw new Error(`no operation ${kind}`);
    return { answer: handler(request as never) };
  };
  const attempt = (calls: readonly WriteCall[]): readonly WriteOutcome[] => {
    try {
      return transaction(sql, () => calls.map(perform), file);
    } catch (error) {
      return calls.length === 1 ? [{ error: packError(error, file) }] : calls.flatMap((call) => attempt([call]));
    }
  };
  return attempt(group);
}

/** What a failed commit left behind the last whole one is cut off before the next: see {@link cutWal}. */
const unclean = new WeakSet<Statements>();

function transaction<T>(sql: Statements, work: () => T, file: string): T {
  if (unclean.has(sql)) cutWal(sql.db, file);
  unclean.delete(sql);
  sql.run('BEGIN IMMEDIATE');
  try {
    const result = work();
    sql.run('COMMIT');
    return result;
  } catch (error) {
    unclean.add(sql);
    // SQLite itself has rolled back after some failures, a full disk among them.
    if (sql.db.isTransaction) sql.run('ROLLBACK');
    throw error;
  }
}
