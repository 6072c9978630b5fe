import { StoreDamaged } from '../store-errors.js';
import { readVerified, verifyChain } from './log-chain.js';
import { type Mark, newestRow, openForWriting } from './log-file.js';
import { IN_STREAM, IN_STREAM_FROM, runName } from './log-runs.js';
import { faultOf } from '../sqlite/sqlite-errors.js';
import type { AppendOutcome, WriterSetup } from './writer-messages.js';

/** The writer's connection with its prepared statements, and where the log's end is. */
export type LogConnection = ReturnType<typeof prepare>;

/**
 * Opens the log for its writer. What was not read back yet is verified first: after a failed sync nobody knows what the disk holds.
 * @throws StoreDamaged when a row behind `verified` is not what was written, or an acknowledged one is gone
 */
export function connectLog({ file, descriptor, verified, acknowledged }: WriterSetup): LogConnection {
  const log = prepare(file, verified);
  try {
    for (const verifiedTo of verifyChain(log.db, verified, { file, descriptor })) log.readBack = verifiedTo;
    if (log.head.position < acknowledged) {
      throw new StoreDamaged(`${file} ends at position ${log.head.position}, ${acknowledged} had been acknowledged`, file, 0);
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
    /** Up to here everything was read back and verified when the connection was opened. */
    readBack: from,
    /** What the next start would verify from, as noted in the file. */
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

/** Notes in the log from where the next start has to verify. */
export function mark(log: LogConnection, { position, sum }: Mark): void {
  log.fact.run('verified', `${position} ${sum}`);
  log.marked = position;
}

/** The same outside of a transaction, when the disk has room: without it the next start only has more to do. */
export function markIfRoom(log: LogConnection, verified: Mark): void {
  if (verified.position === log.marked) return;
  try {
    mark(log, verified);
  } catch (error) {
    if (faultOf(error) !== 'full') throw error;
  }
}

/** Gives a stream's run from a revision on its row. */
export function addRun(log: LogConnection, stream: string, first: number): number {
  return Number(log.addRun.run(runName(stream, first)).lastInsertRowid);
}

/** A row of its own that is written and synced with the group, and changes nothing of the log. */
export function probe(log: LogConnection): AppendOutcome {
  log.fact.run('checked', new Date().toISOString());
  return { kind: 'done', revision: -1, position: log.head.position };
}
