import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreAway } from '../store-errors.js';

const TRIES = 200;
const PAUSE_MS = 25;

/**
 * Brings what waits in a database's write-ahead log into the file and empties it, so that nothing overwritten or removed stays readable there. Goes
 * between other connections' work. @throws StoreAway when they leave no gap
 */
export async function emptyWal(file: string): Promise<void> {
  const db = new DatabaseSync(file, { timeout: 100 });
  try {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      if (busy === 0) return;
      await pause(PAUSE_MS);
    }
  } finally {
    db.close();
  }
  throw new StoreAway(`the write-ahead log of ${file} could not be emptied`);
}
