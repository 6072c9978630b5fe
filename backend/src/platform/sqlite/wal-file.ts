import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, truncateSync } from 'node:fs';
import { systemCode } from '../durable-file.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import type { Database } from './statements.js';
import { checkWal } from './wal-check.js';
import { readWalIndex, type WalIndex } from './wal-index.js';

/** The write-ahead log of a SQLite file. */
export const walOf = (file: string): string => `${file}-wal`;

/** Bytes lost at the end of an undamaged write-ahead log; see {@link checkWal}. */
export interface WalEnd {
  readonly droppedBytes: number;
  readonly missingBytes: number;
}

/**
 * Checks the write-ahead log of a file that no process has open, before SQLite opens it. Changes nothing.
 * @throws StoreDamaged with the write-ahead log's name and offset
 */
export function checkWalOf(file: string): WalEnd {
  const wal = walOf(file);
  const descriptor = openIfThere(wal);
  if (descriptor === null) return { droppedBytes: 0, missingBytes: 0 };
  try {
    const bytes = { size: fstatSync(descriptor).size, read: (offset: number, length: number) => readExactly(descriptor, offset, length) };
    const verdict = checkWal(bytes, indexOf(file));
    if (verdict.kind === 'damaged') throw new StoreDamaged(`${wal} is damaged at byte ${verdict.offset}`, wal, verdict.offset);
    return { droppedBytes: verdict.droppedBytes, missingBytes: verdict.missingBytes };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Truncates an unfinished commit. A later, shorter commit would overwrite only its start, and the rest would look like damage at the next
 * start. Only for the writer, outside a transaction.
 */
export function cutWal(db: Database, file: string): void {
  const { log } = db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { readonly log: number };
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { readonly page_size: number };
  const wholeBytes = log > 0 ? 32 + log * (24 + pageSize) : 0;
  const size = statSync(walOf(file), { throwIfNoEntry: false })?.size ?? 0;
  if (log >= 0 && size > wholeBytes) truncateSync(walOf(file), wholeBytes);
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function indexOf(file: string): WalIndex | null {
  try {
    return readWalIndex(readFileSync(`${file}-shm`));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function readExactly(descriptor: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) throw new ServiceUnavailable('the write-ahead log was truncated while it was read');
    done += count;
  }
  return bytes;
}
