import { Worker } from 'node:worker_threads';

/**
 * Provides the threads that write files. A thread runs one worker's module and serves one file at a time; after closing it, it can open another.
 */
export interface WritingThreads {
  /** A thread of this worker that has no file open. */
  take(worker: URL): Worker;
  /** Returns a thread that has closed its file. */
  giveBack(thread: Worker): Promise<void>;
}

/** A new thread per file, ended with it. */
export const OWN_THREADS: WritingThreads = {
  take: (worker) => new Worker(worker),
  giveBack: async (thread) => {
    await thread.terminate();
  },
};
