import { parentPort } from 'node:worker_threads';
import { packError } from './sqlite-errors.js';
import type { Statements } from './statements.js';
import { cutWal } from './wal-file.js';
import type { Operations, ToWriter, WriteCall, WriteOutcome, WriterMessage } from './write-calls.js';

/** An open file and its operations; `dropped` is the reason why an unusable file was deleted first, where that is allowed. */
export interface ServedFile<Ops> {
  readonly sql: Statements;
  readonly operations: Ops;
  readonly dropped?: string | null;
}

/**
 * The body of a writer thread: opens one file at a time and runs the calls of its `SqliteWriter`, each group in one transaction. For a replacement `open` must
 * neither delete the file nor open it other than through SQLite, because closing a descriptor would release the locks of this process's readers.
 */
export function serveWrites<Ops extends Operations<Ops>>(open: (file: string, isReplacement: boolean) => ServedFile<Ops>): void {
  if (!parentPort) throw new Error('this module only runs in a worker thread');
  const port = parentPort;
  const say = (message: WriterMessage) => port.postMessage(message);
  let served: (ServedFile<Ops> & { readonly file: string }) | null = null;
  const begin = (file: string, isReplacement: boolean): void => {
    try {
      served = { ...open(file, isReplacement), file };
      if (isReplacement) unclean.add(served.sql);
      say({ opened: true, dropped: served.dropped ?? null });
    } catch (error) {
      say({ opened: false, error: packError(error, file) });
    }
  };
  port.on('message', (message: ToWriter) => {
    if (typeof message === 'object' && 'open' in message) return begin(message.open, message.isReplacement);
    if (served === null) throw new Error('the writer thread has no file open');
    if (message !== 'close') return say({ outcomes: runGroup(served, message) });
    closeFile(served.sql);
    served = null;
    say('closed');
  });
}

function closeFile(sql: Statements): void {
  sql.forget();
  try {
    // Closing alone does not empty the WAL while a prepared statement awaits garbage collection.
    sql.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Every acknowledged commit is in the WAL, which the next opening reads.
  }
  sql.db.close();
}

/** Runs all calls in one transaction. If one fails, retries each in its own, so that only that one fails. */
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

/** Connections that truncate what a failed commit or a lost thread left in the WAL before the next commit: see {@link cutWal}. */
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
    // After some failures, such as a full disk, SQLite has already rolled back.
    if (sql.db.isTransaction) sql.run('ROLLBACK');
    throw error;
  }
}
