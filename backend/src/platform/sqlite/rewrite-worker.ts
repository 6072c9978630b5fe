import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { ServiceUnavailable } from '../store-errors.js';
import { packError } from './sqlite-errors.js';

const WAIT_MS = 10_000;
const PAUSE_MS = 20;
const { file } = workerData as { readonly file: string };

function rewrite(): void {
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    db.exec('PRAGMA synchronous=FULL; VACUUM');
    emptyLog(db);
  } finally {
    db.close();
  }
}

/** SQLite's timeout does not count while another connection is at a checkpoint, as the writer is now and then: then it gives up at once. */
function emptyLog(db: InstanceType<typeof DatabaseSync>): void {
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  for (const until = performance.now() + WAIT_MS; (checkpoint.get() as { readonly busy: number }).busy !== 0;) {
    if (performance.now() > until) throw new ServiceUnavailable('the write-ahead log could not be emptied: another connection is using it');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

try {
  rewrite();
  parentPort?.postMessage(null);
} catch (error) {
  parentPort?.postMessage(packError(error, file));
}
