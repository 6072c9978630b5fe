import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unpackError } from './sqlite-errors.js';
import { compiledWorker } from './worker-file.js';

/** The last rewrite of each file that was asked for, and the one that has not begun yet. */
const last = new Map<string, Promise<void>>();
const waiting = new Map<string, Promise<void>>();

/**
 * Rewrites a database in a separate thread and empties its write-ahead log, so that overwritten and removed data is no longer readable. `secure_delete`
 * alone is not enough: when pages are rebalanced, copies of moved cells remain in unused space. Writes of other connections wait meanwhile. Two at once
 * would keep each other from emptying the log, so a rewrite waits for the one in progress; all that wait share the next one.
 * @throws ServiceUnavailable, DiskFull
 */
export function rewriteDatabase(file: string): Promise<void> {
  const shared = waiting.get(file);
  if (shared !== undefined) return shared;
  const begin = (): Promise<void> => {
    waiting.delete(file);
    return rewrite(file);
  };
  const mine = (last.get(file) ?? Promise.resolve()).then(begin, begin);
  waiting.set(file, mine);
  last.set(file, mine);
  const forget = (): boolean => last.get(file) === mine && last.delete(file);
  mine.then(forget, forget);
  return mine;
}

async function rewrite(file: string): Promise<void> {
  const worker = new Worker(compiledWorker(import.meta.url, 'rewrite-worker'), { workerData: { file } });
  const [failure] = (await once(worker, 'message')) as [Parameters<typeof unpackError>[0] | null];
  await worker.terminate();
  if (failure !== null) throw unpackError(failure);
}
