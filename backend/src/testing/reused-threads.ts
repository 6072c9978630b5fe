import type { Worker } from 'node:worker_threads';
import { afterAll } from '@jest/globals';
import { OWN_THREADS, type WritingThreads } from '../platform/sqlite/writing-threads.js';

/** Worker threads whose file is closed, reused until the importing spec ends: starting a thread takes longer than most of a spec's writes. */
const idle = new Map<string, Worker[]>();
const workerOf = new WeakMap<Worker, string>();
let isOver = false;

export const REUSED_THREADS: WritingThreads = {
  take(worker) {
    const thread = idle.get(worker.href)?.pop() ?? OWN_THREADS.take(worker);
    workerOf.set(thread, worker.href);
    return thread;
  },
  async giveBack(thread) {
    for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
    const worker = workerOf.get(thread);
    if (isOver || worker === undefined) return OWN_THREADS.giveBack(thread);
    idle.set(worker, [...(idle.get(worker) ?? []), thread]);
  },
};

// Registered first, so it runs after the spec's own hooks, which close stores.
afterAll(async () => {
  isOver = true;
  await Promise.all([...idle.values()].flat().map((thread) => OWN_THREADS.giveBack(thread)));
});
