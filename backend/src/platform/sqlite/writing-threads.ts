import { Worker } from 'node:worker_threads';

/**
 * Where the threads come from that write files, and where they go. A thread runs one worker's module, waits until it is told which file to open, and waits again
 * once it has closed that.
 */
export interface WritingThreads {
  /** A thread of this worker's that has no file open. */
  take(worker: URL): Worker;
  /** For a thread that has closed its file. */
  giveBack(thread: Worker): Promise<void>;
}

/** A thread for each file, that ends with it. */
export const OWN_THREADS: WritingThreads = {
  take: (worker) => new Worker(worker),
  giveBack: async (thread) => {
    await thread.terminate();
  },
};
