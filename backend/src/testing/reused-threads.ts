import { afterAll } from '@jest/globals';
import { idleThreads } from './idle-threads.js';

/** Writer threads that are reused until the importing spec ends. */
export const REUSED_THREADS = idleThreads();

// Registered first, so it runs after the spec's own hooks, which close stores.
afterAll(() => REUSED_THREADS.end());
