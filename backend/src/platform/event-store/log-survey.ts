import { closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { type ChainedRow, offsetOf, sumOf } from './log-chain.js';
import { checkPages } from './log-check.js';
import { type Database, hasSchema, openForReading, rowOf, rowsOf } from './log-file.js';
import { LogReader } from './log-reader.js';
import { IS_FIRST_RUN, STREAM_OF_RUN } from './log-runs.js';
import { storeErrorOf } from '../sqlite/sqlite-errors.js';

/** One damaged location; `position` is null if it is not a single row. */
export interface LogDamage {
  readonly file: string;
  readonly offset: number;
  readonly position: Position | null;
  readonly message: string;
}

/** The result of a full check of a log. */
export interface LogSurvey {
  /** Rows checked. */
  readonly events: number;
  readonly streams: number;
  /** Every row up to here is intact. */
  readonly intactTo: Position;
  /** The newest readable position. */
  readonly head: Position;
  /** The first damaged locations, at most {@link MAX_REPORTED}. */
  readonly damage: readonly LogDamage[];
}

const MAX_REPORTED = 20;
const PAGE = 1000;
const LIVE_TRIES = 3;
const LIVE_PAUSE_MS = 200;

/** Opens a log read-only, with or without a running writer. @throws ServiceUnavailable when there is no log, StoreDamaged */
export async function openLogReader(file: string): Promise<LogReader> {
  if (!existsSync(file)) throw new ServiceUnavailable(`${file} does not exist`);
  await checkLiveWal(file);
  try {
    return new LogReader(openForReading(file), file);
  } catch (error) {
    throw storeErrorOf(error, file);
  }
}

/**
 * Checks every row, every page and the write-ahead log without changing them, and continues after damage. Works while a server is running.
 * @throws ServiceUnavailable when there is no log
 */
export async function surveyLog(file: string): Promise<LogSurvey> {
  if (!existsSync(file)) throw new ServiceUnavailable(`${file} does not exist`);
  const damage: LogDamage[] = [];
  const descriptor = openSync(file, 'r');
  let found = { events: 0, streams: 0, intactTo: 0, head: 0 };
  try {
    await checkLiveWal(file);
    const db = openForReading(file);
    try {
      if (hasSchema(db)) found = surveyRows(db, { file, descriptor }, damage);
      checkPages(db, file, { position: found.intactTo, sum: '' });
    } finally {
      db.close();
    }
  } catch (error) {
    const known = storeErrorOf(error, file);
    if (!(known instanceof StoreDamaged)) throw known;
    damage.push({ file: known.file, offset: known.offset, position: null, message: known.message });
  } finally {
    closeSync(descriptor);
  }
  return { ...found, damage };
}

/** Compares each row with the checksum stored in the previous row, so that intact rows after a damaged one are recognised. */
function surveyRows(db: Database, { file, descriptor }: { file: string; descriptor: number }, damage: LogDamage[]) {
  const page = db.prepare(
    `SELECT position, ${STREAM_OF_RUN} AS stream, revision, body, sum FROM events LEFT JOIN streams USING (sid) WHERE position > ? ORDER BY position LIMIT ?`,
  );
  const found = { events: 0, streams: 0, intactTo: 0, head: 0 };
  let before = { position: 0, sum: '' };
  try {
    found.streams = rowOf<{ count: number }>(db.prepare(`SELECT count(*) AS count FROM streams WHERE ${IS_FIRST_RUN}`))?.count ?? 0;
    for (;;) {
      const rows = rowsOf<ChainedRow & { sum: string }>(page, before.position, PAGE);
      if (rows.length === 0) return found;
      for (const row of rows) {
        const position = before.position + 1;
        if (row.position !== position || row.sum !== sumOf(before.sum, row)) {
          noteRow(damage, { file, position, offset: offsetOf(db, descriptor, position) });
        }
        before = row;
        found.events += 1;
        found.head = row.position;
        if (damage.length === 0) found.intactTo = row.position;
      }
    }
  } catch (error) {
    const { message } = storeErrorOf(error, file);
    damage.push({ file, offset: offsetOf(db, descriptor, before.position + 1), position: before.position + 1, message });
    return found;
  }
}

function noteRow(damage: LogDamage[], at: { file: string; position: Position; offset: number }): void {
  const message = `${at.file} is damaged at byte ${at.offset}, position ${at.position}`;
  if (damage.length < MAX_REPORTED) damage.push({ ...at, message });
}

/** A running server may restart the write-ahead log during the check, so only damage found on every try counts. */
async function checkLiveWal(file: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      checkWalOf(file);
      return;
    } catch (error) {
      if (tries === LIVE_TRIES) throw error;
      await pause(LIVE_PAUSE_MS);
    }
  }
}
