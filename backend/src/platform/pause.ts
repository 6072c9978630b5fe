import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after some milliseconds, or as soon as the signal aborts. */
export async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  // The delay rejects only because of the signal.
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
