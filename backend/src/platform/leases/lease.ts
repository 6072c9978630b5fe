import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';
import { Fenced } from '../documents/documents.js';

/** A period in which one process holds a lease. */
export interface Term {
  /** Rises with each term of any process; null for a permanent lease. Facts carry it. */
  readonly fence: number | null;
  /** Aborts when the term ends, so the work stops before another process can start it. */
  readonly signal: AbortSignal;
  /** Compares with this process's own clock, so it is right even before any timer runs after a freeze. */
  isHeld(): boolean;
  /** Ends the term early, for example when a write of a later term was found. */
  giveUp(): void;
}

/** A term that never expires, for a single process. */
export function endlessTerm(): Term {
  const ended = new AbortController();
  return { fence: null, signal: ended.signal, isHeld: () => true, giveUp: () => ended.abort() };
}

/** The term had ended before a write; nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Whether a write failed because another process has taken over. */
export const isTakenOver = (error: unknown): boolean => error instanceof LeaseLost || error instanceof Fenced;

/** Resolves when the signal aborts, at once if it has aborted already. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The right to do work that only one process at a time may do. */
export interface Lease {
  readonly name: string;
  /** No other process competes for it: it is acquired at once and held until the process ends. */
  readonly isPermanent: boolean;
  /** Waits until this process holds the lease; null when the signal aborts first. */
  acquire(signal: AbortSignal): Promise<Term | null>;
  /** Ends the acquired term, so another process can take over at once. The work must have ended. */
  release(): Promise<void>;
  /** The recorded holder; null when no process holds the lease. @throws ServiceUnavailable */
  state(): Promise<LeaseState | null>;
}
