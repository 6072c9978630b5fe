import { closeSync, fchmodSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { asStoreError } from './sqlite-errors.js';

const WAIT_MS = 10_000;

/**
 * Writes a consistent copy of a database, without the content of free pages. Does not block other writers, but blocks this thread until the copy is on
 * disk. @throws StoreDamaged, ServiceUnavailable, DiskFull
 */
export function copyDatabase(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true, timeout: WAIT_MS });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    throw asStoreError(error, from);
  } finally {
    db.close();
  }
  const descriptor = openSync(to, 'r+');
  try {
    fchmodSync(descriptor, 0o600);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
