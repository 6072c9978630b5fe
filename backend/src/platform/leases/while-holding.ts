import { setTimeout as pause } from 'node:timers/promises';
import { isOverFor, type Lease, type Term } from './lease.js';

/** How long a work that failed leaves the lease to others before it is wanted again, in milliseconds. */
const PAUSE_MS = 500;

/** The same term for a work that is to end sooner: what it has in hand is still written under it. */
const until = (signal: AbortSignal, term: Term): Term => ({
  fence: term.fence,
  signal: AbortSignal.any([term.signal, signal]),
  isHeld: () => term.isHeld(),
  giveUp: () => term.giveUp(),
});

/**
 * Does a work whenever this process holds the lease, term after term, until the signal aborts. The work ends when its term's signal aborts (which it also
 * does when `signal` does), and the lease is released only then: two works never overlap. One that fails is told and begins again in the next term.
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
      await work(until(signal, term));
    } catch (error) {
      failed = !signal.aborted;
      if (failed && !isOverFor(error)) onFailure(error);
    } finally {
      await lease.release();
    }
    // An abort ends the pause with an error, and the loop.
    if (failed) await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}
