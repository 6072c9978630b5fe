import { closeSync, openSync } from 'node:fs';

/** Creates a database's empty file for its owner only, as SQLite would let everybody read it. SQLite gives the files beside it the same mode. */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch {
    // It exists, or SQLite reports what is wrong.
  }
}
