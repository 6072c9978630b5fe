import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { packError } from './sqlite-errors.js';

const WAIT_MS = 10_000;
const { file } = workerData as { readonly file: string };

function rewrite(): void {
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    db.exec('PRAGMA synchronous=FULL; VACUUM');
    const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { readonly busy: number };
    if (busy !== 0) throw new Error('the write-ahead log could not be emptied');
  } finally {
    db.close();
  }
}

try {
  rewrite();
  parentPort?.postMessage(null);
} catch (error) {
  parentPort?.postMessage(packError(error, file));
}
