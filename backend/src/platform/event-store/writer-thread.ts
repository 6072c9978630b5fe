import type { Worker } from 'node:worker_threads';
import { compiledWorker } from '../sqlite/worker-file.js';
import type { WritingThreads } from '../sqlite/writing-threads.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { storeErrorOf } from '../sqlite/sqlite-errors.js';
import type { FromWriter, ToWriter, WriterSetup } from './writer-messages.js';

/**
 * Opens the log in a writer thread.
 * @throws the port's error for an unusable file
 */
export async function startWriter(setup: WriterSetup, threads: WritingThreads): Promise<Worker> {
  const worker = threads.take(compiledWorker(import.meta.url, 'embedded-writer'));
  try {
    worker.postMessage({ kind: 'open', setup } satisfies ToWriter);
    await ready(worker, setup.file);
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function ready(worker: Worker, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => done(new ServiceUnavailable(`the log's writer exited during startup with code ${code}`));
    const received = (message: FromWriter): void => {
      if (message.kind === 'ready') return done(null);
      const cause = message.kind === 'unusable' ? { ...message, code: 'ERR_SQLITE_ERROR' } : { message: 'no answer' };
      done(message.kind === 'unusable' && message.damage !== null ? new StoreDamaged(message.message, file, message.damage) : storeErrorOf(cause, file));
    };
    const done = (error: Error | null): void => {
      worker.off('message', received).off('error', done).off('exit', ended);
      if (error === null) resolve();
      else reject(error);
    };
    worker.on('message', received).on('error', done).on('exit', ended);
  });
}
