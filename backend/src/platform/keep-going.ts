import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 500;

/**
 * Runs work that follows something without end. When it fails (a full disk, a store that is away for a while) that is told and it begins again after
 * a pause; it is over when it ends by itself or the signal aborts. `work` goes on from where it got to.
 * `pauseMs`: how long the pause is, asked after each failure; half a second when missing.
 */
export async function keepGoing(
  work: () => Promise<void>,
  { signal, onFailure, pauseMs }: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void; readonly pauseMs?: () => number },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      // An abort ends the pause with an error, and the loop.
      await pause(pauseMs?.() ?? PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
