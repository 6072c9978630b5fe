import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unpackError } from './sqlite-errors.js';
import { compiledWorker } from './worker-file.js';

/**
 * Rewrites a database in a separate thread and empties its write-ahead log, so that overwritten and removed data is no longer readable. `secure_delete`
 * alone is not enough: when pages are rebalanced, copies of moved cells remain in unused space. Writes of other connections wait meanwhile.
 * @throws ServiceUnavailable, DiskFull
 */
export async function rewriteDatabase(file: string): Promise<void> {
  const worker = new Worker(compiledWorker(import.meta.url, 'rewrite-worker'), { workerData: { file } });
  const [failure] = (await once(worker, 'message')) as [Parameters<typeof unpackError>[0] | null];
  await worker.terminate();
  if (failure !== null) throw unpackError(failure);
}
