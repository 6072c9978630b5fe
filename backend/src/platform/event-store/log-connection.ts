import { StoreDamaged } from '../store-errors.js';
import { readVerified, verifyChain } from './log-chain.js';
import { type Mark, newestRow, openForWriting } from './log-file.js';
import { IN_STREAM, IN_STREAM_FROM, runName } from './log-runs.js';
import { faultOf } from '../sqlite/sqlite-errors.js';
import type { AppendOutcome, WriterSetup } from './writer-messages.js';

/** The writer's connection, its prepared statements and the end of the log. */
export type LogConnection = ReturnType<typeof prepare>;

/**
 * Opens the log for its writer. Verifies all rows not yet read back, because after a failed sync the disk contents are unknown.
 * @throws StoreDamaged when a row after `verified` was changed or an acknowledged row is gone
 */
export function connectLog({ file, descriptor, verified, acknowledged }: WriterSetup): LogConnection {
  const log = prepare(file, verified);
  try {
    for (const verifiedTo of verifyChain(log.db, verified, { file, descriptor })) log.readBack = verifiedTo;
    if (log.head.position < acknowledged) {
      throw new StoreDamaged(`${file} ends at position ${log.head.position}, but ${acknowledged} was acknowledged`, file, 0);
    }
    return log;
  } catch (error) {
    log.db.close();
    throw error;
  }
}

function prepare(file: string, from: Mark) {
  const db = openForWriting(file);
  const fact = db.prepare('INSERT INTO facts VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value');
  return {
    db,
    head: newestRow(db),
    /** Everything up to here was read back and verified. */
    readBack: from,
    /** Where the next start begins verifying, as stored in the file. */
    marked: readVerified(db).position,
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    fact,
    insert: db.prepare('INSERT INTO events VALUES(?, ?, ?, ?, ?)'),
    addRun: db.prepare('INSERT INTO streams(name) VALUES(?)'),
    stream: db.prepare(`SELECT sid, name, revision FROM streams CROSS JOIN events USING (sid) WHERE ${IN_STREAM} ORDER BY name DESC, revision DESC LIMIT 1`),
    ids: db.prepare(
      `SELECT substr(body, 8, 36) AS id, position FROM streams CROSS JOIN events USING (sid) WHERE ${IN_STREAM_FROM} AND revision BETWEEN ?2 AND ?3 ORDER BY name, revision`,
    ),
  };
}

/** Stores where the next start has to begin verifying. */
export function mark(log: LogConnection, { position, sum }: Mark): void {
  log.fact.run('verified', `${position} ${sum}`);
  log.marked = position;
}

/** The same outside a transaction. Ignores a full disk: the next start then only verifies more. */
export function markIfRoom(log: LogConnection, verified: Mark): void {
  if (verified.position === log.marked) return;
  try {
    mark(log, verified);
  } catch (error) {
    if (faultOf(error) !== 'full') throw error;
  }
}

/** Inserts the row of a stream's run that starts at a revision. */
export function addRun(log: LogConnection, stream: string, first: number): number {
  return Number(log.addRun.run(runName(stream, first)).lastInsertRowid);
}

/** A separate row, written and synced with the group, that leaves the log unchanged. */
export function probe(log: LogConnection): AppendOutcome {
  log.fact.run('checked', new Date().toISOString());
  return { kind: 'done', revision: -1, position: log.head.position };
}
