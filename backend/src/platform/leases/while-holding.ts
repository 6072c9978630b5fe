import { isTakenOver, type Lease, type Term } from './lease.js';
import { pauseUnlessAborted } from '../pause.js';

/** How long to leave the lease to other processes after a failure, in milliseconds. */
const PAUSE_MS = 500;

/** The same term, but its signal also aborts with another one. The work can still write under the term while it stops. */
const endingWith = (signal: AbortSignal, term: Term): Term => ({
  fence: term.fence,
  signal: AbortSignal.any([term.signal, signal]),
  isHeld: () => term.isHeld(),
  giveUp: () => term.giveUp(),
});

/**
 * Runs the work whenever this process holds the lease, term after term, until the signal aborts. The work must stop when its term's signal aborts, which
 * also follows `signal`. The lease is released only then, so the work never runs twice at once. After a failure it runs again in the next term.
 */
export async function whileHolding(
  lease: Lease,
  work: (term: Term) => Promise<void>,
  { signal, onFailure }: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    const term = await lease.acquire(signal);
    if (term === null) return;
    let failed = false;
    try {
      await work(endingWith(signal, term));
    } catch (error) {
      failed = !signal.aborted;
      if (failed && !isTakenOver(error)) onFailure(error);
    } finally {
      await lease.release();
    }
    if (failed) await pauseUnlessAborted(PAUSE_MS, signal);
  }
}
