import type { Worker } from 'node:worker_threads';
import { OWN_THREADS, type WritingThreads } from '../platform/sqlite/writing-threads.js';

export interface IdleThreads extends WritingThreads {
  /** Ends the idle threads, and the others when they are given back. */
  end(): Promise<void>;
}

/** Worker threads whose file is closed are reused: starting a thread takes longer than most of a spec's writes. Idle ones do not keep the process alive. */
export function idleThreads(): IdleThreads {
  const idle = new Map<string, Worker[]>();
  const workerOf = new WeakMap<Worker, string>();
  let isOver = false;
  return {
    take(worker) {
      const thread = idle.get(worker.href)?.pop() ?? OWN_THREADS.take(worker);
      thread.ref();
      workerOf.set(thread, worker.href);
      return thread;
    },
    async giveBack(thread) {
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
      const worker = workerOf.get(thread);
      if (isOver || worker === undefined) return OWN_THREADS.giveBack(thread);
      thread.unref();
      idle.set(worker, [...(idle.get(worker) ?? []), thread]);
    },
    async end() {
      isOver = true;
      await Promise.all([...idle.values()].flat().map((thread) => OWN_THREADS.giveBack(thread)));
    },
  };
}
