import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unpackError } from './sqlite-errors.js';
import { compiledWorker } from './worker-file.js';

/**
 * Writes a database anew in a thread of its own and empties its write-ahead log, so that nothing overwritten or removed stays readable. `secure_delete` alone
 * leaves traces: when pages are balanced, old copies of what moved stay in their gaps. Other connections wait with their writes meanwhile.
 * @throws StoreAway, DiskFull
 */
export async function rewriteDatabase(file: string): Promise<void> {
  const worker = new Worker(compiledWorker(import.meta.url, 'rewrite-worker'), { workerData: { file } });
  const [failure] = (await once(worker, 'message')) as [Parameters<typeof unpackError>[0] | null];
  await worker.terminate();
  if (failure !== null) throw unpackError(failure);
}
