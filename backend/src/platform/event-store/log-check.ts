import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { walOf } from '../sqlite/wal-file.js';
import { StoreDamaged } from '../store-errors.js';
import { readVerified, verifyChain } from './log-chain.js';
import { type Database, hasSchema, type Mark, openForReading, rowOf, rowsOf } from './log-file.js';
import { FIRST_OF_RUN, STREAM_OF_RUN } from './log-runs.js';
import { faultOf, messageOf } from '../sqlite/sqlite-errors.js';

/** Runs that do not hold what their names say, or do not follow on each other. */
const GAPS = `
  WITH runs AS (SELECT sid, min(revision) AS first, max(revision) AS last, count(*) AS size FROM events GROUP BY sid),
    named AS (SELECT runs.*, name, lag(last, 1, -1) OVER (PARTITION BY ${STREAM_OF_RUN} ORDER BY first) AS before FROM runs LEFT JOIN streams USING (sid))
  SELECT sid FROM named WHERE name IS NULL OR size <> last - first + 1 OR first <> before + 1 OR first <> ${FIRST_OF_RUN}`;
const ROWS_BEHIND = 250;
const START: Mark = { position: 0, sum: '' };

/** What the check of a start found: everything behind `from` up to `to` is as it was written. */
export interface LogChecked {
  readonly from: Mark;
  readonly to: Mark;
}

/** A log file, and its descriptor for reading pages by hand. */
export interface LogPlace {
  readonly file: string;
  readonly descriptor: number;
}

/**
 * Verifies a log before anything is written to it, on a connection that cannot write, so that a damaged one stays as it is: the
 * whole of one of at most `wholeBytes`, of a larger one what lies behind the mark that is noted in it.
 * @throws StoreDamaged with file, offset and the position up to which it is intact
 */
export function checkAtStart({ file, descriptor }: LogPlace, wholeBytes: number): LogChecked {
  const size = statSync(file).size;
  const walSize = statSync(walOf(file), { throwIfNoEntry: false })?.size ?? 0;
  // SQLite removes the write-ahead log of an empty file; ours is never empty once there is something in its log.
  if (size === 0 && walSize > 32) throw new StoreDamaged(`${file} is empty, its write-ahead log is not`, file, 0, 0);
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
 * Verifies what a start left out, up to a mark: a page of rows at a time, with a pause behind each, until the signal aborts.
 * @throws StoreDamaged as {@link checkAtStart}
 */
export async function checkBehind(place: LogPlace, end: Mark, { signal, pauseMs }: { signal: AbortSignal; pauseMs: number }): Promise<void> {
  const db = openForReading(place.file);
  try {
    for (const mark of verifyChain(db, START, { ...place, rowsPerPage: ROWS_BEHIND })) {
      if (mark.position >= end.position || signal.aborted) return;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    throw placed(db, place.file, error);
  } finally {
    db.close();
  }
}

/** Reads on a connection of its own; damage that SQLite meets itself is told with the place that its own check finds. */
export function withLog<T>(file: string, read: (db: Database) => T): T {
  const db = openForReading(file);
  try {
    return read(db);
  } catch (error) {
    throw placed(db, file, error);
  } finally {
    db.close();
  }
}

const placed = (db: Database, file: string, error: unknown): unknown =>
  error instanceof StoreDamaged || faultOf(error) !== 'damaged' ? error : (pageDamage(db, file, null) ?? unreadable(file, error));

/** Lets SQLite compare its pages, and the index with the table; and looks whether streams have a gap. @throws StoreDamaged */
export function checkPages(db: Database, file: string, intact: Mark): void {
  const damage = pageDamage(db, file, intact.position);
  if (damage !== null) throw damage;
  const [gap] = rowsOf<{ sid: number }>(db.prepare(GAPS));
  if (gap !== undefined) throw new StoreDamaged(`${file} is damaged: run ${gap.sid} of a stream does not hold what it should`, file, 0, intact.position);
}

function pageDamage(db: Database, file: string, intactTo: number | null): StoreDamaged | null {
  const said = firstProblem(db);
  if (said === null) return null;
  const offset = offsetIn(db, said);
  return new StoreDamaged(`${file} is damaged at byte ${offset}: ${said.replaceAll(/\s+/g, ' ')}`, file, offset, intactTo);
}

function firstProblem(db: Database): string | null {
  try {
    const answer = rowOf<{ integrity_check: string }>(db.prepare('PRAGMA integrity_check(1)'))?.integrity_check;
    return answer === 'ok' ? null : (answer ?? 'the check gave no answer');
  } catch (error) {
    return messageOf(error);
  }
}

/** SQLite names a page, or an index whose entries do not fit its table; else only the first byte can be named. */
function offsetIn(db: Database, said: string): number {
  const page = /page (\d+)/i.exec(said)?.[1];
  if (page !== undefined) return (Number(page) - 1) * pageSize(db);
  const index = /index (\w+)/.exec(said)?.[1];
  if (index === undefined) return 0;
  const root = rowOf<{ rootpage: number }>(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?'), index)?.rootpage ?? 1;
  return (root - 1) * pageSize(db);
}

function pageSize(db: Database): number {
  return rowOf<{ page_size: number }>(db.prepare('PRAGMA page_size'))?.page_size ?? 0;
}

const unreadable = (file: string, error: unknown): StoreDamaged => new StoreDamaged(`${file} is damaged: ${messageOf(error)}`, file, 0);
