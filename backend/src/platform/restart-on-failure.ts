import { pauseUnlessAborted } from './pause.js';

const PAUSE_MS = 500;

/**
 * Runs endless work, such as following the log, and restarts it after a pause when it fails. Resolves when the work returns or the signal aborts.
 * @param work continues from its own last position
 * @param options `onFailure` is called with each error; `pauseMs` returns the next pause, 500 ms by default
 */
export async function restartOnFailure(
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
      await pauseUnlessAborted(pauseMs?.() ?? PAUSE_MS, signal);
    }
  }
}
