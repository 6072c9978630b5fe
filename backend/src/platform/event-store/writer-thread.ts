import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { StoreAway, StoreDamaged } from '../store-errors.js';
import { storeErrorOf } from './sqlite-errors.js';
import type { FromWriter, WriterSetup } from './writer-messages.js';

/**
 * Starts the writer's thread and waits until it has opened the log.
 * @throws the port's error for a file that cannot be used
 */
export async function startWriter(setup: WriterSetup): Promise<Worker> {
  const worker = new Worker(workerFile(), { workerData: setup });
  try {
    await ready(worker, setup.file);
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function ready(worker: Worker, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => done(new StoreAway(`the log's writer ended at its start with code ${code}`));
    const heard = (message: FromWriter): void => {
      if (message.kind === 'ready') return done(null);
      const cause = message.kind === 'unusable' ? { ...message, code: 'ERR_SQLITE_ERROR' } : { message: 'no answer' };
      done(message.kind === 'unusable' && message.damage !== null ? new StoreDamaged(message.message, file, message.damage) : storeErrorOf(cause, file));
    };
    const done = (error: Error | null): void => {
      worker.off('message', heard).off('error', done).off('exit', ended);
      if (error === null) resolve();
      else reject(error);
    };
    worker.on('message', heard).on('error', done).on('exit', ended);
  });
}

/** A thread runs compiled code only: started from the sources (as the specs do), the built file is used. */
function workerFile(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  const url = new URL(fromSource ? '../../../dist/platform/event-store/embedded-writer.js' : './embedded-writer.js', import.meta.url);
  const file = fileURLToPath(url);
  if (!existsSync(file)) throw new Error(`${file} is missing: build the backend first (npx tsc -b contracts backend)`);
  return file;
}
