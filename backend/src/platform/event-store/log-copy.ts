import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import type { StoredEvent } from '../../kernel/event.js';
import { copyDatabase } from '../sqlite/copy-database.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { verifyChain } from './log-chain.js';
import { hasSchema, lockLog, type Mark, openForReading, readFact, rowOf } from './log-file.js';
import { LogReader } from './log-reader.js';
import { faultOf, storeErrorOf } from '../sqlite/sqlite-errors.js';

const PAGE = 1_000;

/** The log's identity and its last row. */
export interface LogEnd extends Mark {
  readonly identity: string;
}

/** Copies a log while its writer is running. @throws ServiceUnavailable when there is no log; StoreDamaged, DiskFull */
export function copyLog(file: string, to: string): void {
  if (!existsSync(file)) throw new ServiceUnavailable(`there is no log at ${file}`);
  copyDatabase(file, to);
}

/** Keeps programs from opening a log until `close`; null if one has it open. */
export function claimLog(file: string): { close(): void } | null {
  try {
    return lockLog(file);
  } catch (error) {
    if (faultOf(error) === 'busy') return null;
    throw error;
  }
}

/** True if no process has the log open; `whileFree` then runs with the log locked. */
export function ifFree(file: string, whileFree: () => void): boolean {
  const lock = claimLog(file);
  if (lock === null) return false;
  try {
    whileFree();
  } finally {
    lock.close();
  }
  return true;
}

/** Recomputes every checksum of a log that has no writer and runs SQLite's integrity check. @throws StoreDamaged with file and offset */
export function verifyLogFile(file: string): LogEnd {
  const db = openForReading(file);
  const descriptor = openSync(file, 'r');
  try {
    if (!hasSchema(db)) throw new StoreDamaged(`${file} contains no log`, file, 0);
    const answer = rowOf<{ integrity_check: string }>(db.prepare('PRAGMA integrity_check(1)'));
    if (answer?.integrity_check !== 'ok') throw new StoreDamaged(`${file} is damaged: ${answer?.integrity_check}`, file, 0);
    let end: Mark = { position: 0, sum: '' };
    for (const mark of verifyChain(db, end, { file, descriptor })) end = mark;
    return { identity: readFact(db, 'identity') ?? '', ...end };
  } catch (error) {
    throw storeErrorOf(error, file);
  } finally {
    closeSync(descriptor);
    db.close();
  }
}

/** Every event of a log that has no writer, as stored, oldest first. */
export function* eventsIn(file: string): Generator<StoredEvent> {
  const reader = new LogReader(openForReading(file), file);
  try {
    for (let after = 0; ;) {
      const page = reader.all(after, PAGE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.position;
    }
  } finally {
    reader.close();
  }
}

/** Gives a copy its own identity, so positions of the original log are no longer valid for it. @returns the new identity */
export function renewIdentity(file: string): string {
  const db = new DatabaseSync(file);
  try {
    const identity = randomUUID();
    db.exec('PRAGMA synchronous=FULL');
    db.prepare("UPDATE facts SET value = ? WHERE name = 'identity'").run(identity);
    return identity;
  } finally {
    db.close();
  }
}
