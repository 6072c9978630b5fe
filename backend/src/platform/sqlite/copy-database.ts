import { closeSync, fchmodSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { asStoreError } from './sqlite-errors.js';

const WAIT_MS = 10_000;

/**
 * Writes a whole, consistent copy of a database as it is at one moment, without free pages and what they held, beside programs that write to it: they
 * are not held up. The copy is on the disk when this returns; it blocks the thread meanwhile. @throws StoreDamaged, StoreAway, DiskFull
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
