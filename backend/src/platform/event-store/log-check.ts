import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { walOf } from '../sqlite/wal-file.js';
import { StoreDamaged } from '../store-errors.js';
import { readVerified, verifyChain } from './log-chain.js';
import { type Database, hasSchema, type Mark, openForReading, rowOf, rowsOf } from './log-file.js';
import { FIRST_OF_RUN, STREAM_OF_RUN } from './log-runs.js';
import { faultOf, messageOf } from '../sqlite/sqlite-errors.js';

/** Finds runs with missing revisions, a wrong first revision, or a gap to the previous run. */
const GAPS = `
  WITH runs AS (SELECT sid, min(revision) AS first, max(revision) AS last, count(*) AS size FROM events GROUP BY sid),
    named AS (SELECT runs.*, name, lag(last, 1, -1) OVER (PARTITION BY ${STREAM_OF_RUN} ORDER BY first) AS before FROM runs LEFT JOIN streams USING (sid))
  SELECT sid FROM named WHERE name IS NULL OR size <> last - first + 1 OR first <> before + 1 OR first <> ${FIRST_OF_RUN}`;
const SKIPPED_ROWS_PER_PAGE = 250;
const START: Mark = { position: 0, sum: '' };

/** The range verified at startup: every row after `from`, up to and including `to`, is intact. */
export interface LogChecked {
  readonly from: Mark;
  readonly to: Mark;
}

/** A log file, with a descriptor for reading raw pages. */
export interface LogFile {
  readonly file: string;
  readonly descriptor: number;
}

/**
 * Verifies a log before the first write, on a read-only connection so that a damaged log is not modified. Logs of up to
 * `wholeBytes` are verified in full, larger ones from their stored mark on.
 * @throws StoreDamaged with the file, the offset and the last intact position
 */
export function checkAtStart({ file, descriptor }: LogFile, wholeBytes: number): LogChecked {
  const size = statSync(file).size;
  const walSize = statSync(walOf(file), { throwIfNoEntry: false })?.size ?? 0;
  // SQLite deletes the write-ahead log of an empty database file. Ours is never empty once its log has frames, so this is damage.
  if (size === 0 && walSize > 32) throw new StoreDamaged(`${file} is empty but its write-ahead log is not`, file, 0, 0);
  if (size === 0) return { from: START, to: START };
  return withLog(file, (db) => {
    if (!hasSchema(db)) return { from: START, to: START };
    const isSmall = size + walSize <= wholeBytes;
    const from = isSmall ? START : readVerified(db);
    let to = from;
    for (const mark of verifyChain(db, from, { file, descriptor })) to = mark;
    if (isSmall) checkPages(db, file, to);
    return { from, to };
  });
}

/**
 * Verifies the rows that startup skipped, up to a mark, pausing after each page, until the signal aborts.
 * @throws StoreDamaged as {@link checkAtStart}
 */
export async function checkSkipped(log: LogFile, end: Mark, { signal, pauseMs }: { signal: AbortSignal; pauseMs: number }): Promise<void> {
  const db = openForReading(log.file);
  try {
    for (const mark of verifyChain(db, START, { ...log, rowsPerPage: SKIPPED_ROWS_PER_PAGE })) {
      if (mark.position >= end.position || signal.aborted) return;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    throw withOffset(db, log.file, error);
  } finally {
    db.close();
  }
}

/** Reads on a separate connection. When SQLite reports damage without a location, its integrity check supplies the offset. */
export function withLog<T>(file: string, read: (db: Database) => T): T {
  const db = openForReading(file);
  try {
    return read(db);
  } catch (error) {
    throw withOffset(db, file, error);
  } finally {
    db.close();
  }
}

const withOffset = (db: Database, file: string, error: unknown): unknown =>
  error instanceof StoreDamaged || faultOf(error) !== 'damaged' ? error : (pageDamage(db, file, null) ?? unreadable(file, error));

/** Runs SQLite's integrity check and looks for gaps in streams. @throws StoreDamaged */
export function checkPages(db: Database, file: string, intact: Mark): void {
  const damage = pageDamage(db, file, intact.position);
  if (damage !== null) throw damage;
  const [gap] = rowsOf<{ sid: number }>(db.prepare(GAPS));
  if (gap !== undefined) throw new StoreDamaged(`${file} is damaged: run ${gap.sid} of a stream has missing or misplaced revisions`, file, 0, intact.position);
}

function pageDamage(db: Database, file: string, intactTo: number | null): StoreDamaged | null {
  const problem = firstProblem(db);
  if (problem === null) return null;
  const offset = offsetIn(db, problem);
  return new StoreDamaged(`${file} is damaged at byte ${offset}: ${problem.replaceAll(/\s+/g, ' ')}`, file, offset, intactTo);
}

function firstProblem(db: Database): string | null {
  try {
    const answer = rowOf<{ integrity_check: string }>(db.prepare('PRAGMA integrity_check(1)'))?.integrity_check;
    return answer === 'ok' ? null : (answer ?? 'the integrity check returned nothing');
  } catch (error) {
    return messageOf(error);
  }
}

/** SQLite names a page, or an index that disagrees with its table. Otherwise the location is unknown: byte 0. */
function offsetIn(db: Database, problem: string): number {
  const page = /page (\d+)/i.exec(problem)?.[1];
  if (page !== undefined) return (Number(page) - 1) * pageSize(db);
  const index = /index (\w+)/.exec(problem)?.[1];
  if (index === undefined) return 0;
  const root = rowOf<{ rootpage: number }>(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?'), index)?.rootpage ?? 1;
  return (root - 1) * pageSize(db);
}

function pageSize(db: Database): number {
  return rowOf<{ page_size: number }>(db.prepare('PRAGMA page_size'))?.page_size ?? 0;
}

const unreadable = (file: string, error: unknown): StoreDamaged => new StoreDamaged(`${file} is damaged: ${messageOf(error)}`, file, 0);
