import type { Worker } from 'node:worker_threads';
import { storeErrorOf } from '../sqlite/sqlite-errors.js';
import { nextMessage } from '../sqlite/supervised-thread.js';
import { compiledWorker } from '../sqlite/worker-file.js';
import type { WritingThreads } from '../sqlite/writing-threads.js';
import { StoreDamaged } from '../store-errors.js';
import type { FromWriter, ToWriter, WriterSetup } from './writer-messages.js';

/**
 * Opens the log in a writer thread.
 * @throws the port's error for an unusable file
 */
export async function startWriter(setup: WriterSetup, threads: WritingThreads): Promise<Worker> {
  const worker = threads.take(compiledWorker(import.meta.url, 'embedded-writer'));
  worker.postMessage({ kind: 'open', setup } satisfies ToWriter);
  const first = await nextMessage<FromWriter>(worker);
  if (first.kind === 'ready') return worker;
  await worker.terminate();
  throw unusable(first, setup.file);
}

function unusable(message: FromWriter, file: string): Error {
  if (message.kind !== 'unusable') return new Error('unexpected message from the writer thread');
  if (message.damage !== null) return new StoreDamaged(message.message, file, message.damage);
  return storeErrorOf({ ...message, code: 'ERR_SQLITE_ERROR' }, file);
}
