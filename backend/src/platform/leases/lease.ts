import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';
import { Fenced } from '../documents/documents.js';

/** A time in which a process alone does a work. */
export interface Term {
  /** Grows from term to term, whoever holds it; null for a lease that has no rivals. Facts are written under it. */
  readonly fence: number | null;
  /** Aborts as soon as the term is over: the work stops by itself before anybody else can begin. */
  readonly signal: AbortSignal;
  /** By this process's own clock, also in the moment in which it wakes up after having been frozen. */
  isHeld(): boolean;
  /** Ends it: something was met that was written in a later one. */
  giveUp(): void;
}

/** The term of whoever works alone anyway: in one program on one folder, in specs. */
export function endlessTerm(): Term {
  const over = new AbortController();
  return { fence: null, signal: over.signal, isHeld: () => true, giveUp: () => over.abort() };
}

/** The term was over when something was to be written under it: nothing was. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Whether a write failed because somebody else does the work by now. */
export const isOverFor = (error: unknown): boolean => error instanceof LeaseLost || error instanceof Fenced;

/** Resolves as soon as the signal aborts. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((ended) => {
    if (signal.aborted) ended();
    else signal.addEventListener('abort', () => ended(), { once: true });
  });

/** The right to do a work that one process at a time may do. */
export interface Lease {
  readonly name: string;
  /** True when there are no rivals: its first term begins at once and ends with the process. */
  readonly isPermanent: boolean;
  /** Waits for the turn of this process. Null when the signal aborts before. */
  acquire(signal: AbortSignal): Promise<Term | null>;
  /** Ends the term that was acquired, so that the next may begin at once. The work must be over. */
  release(): Promise<void>;
  /** Who holds it as far as is written down; null when nobody does. @throws StoreAway */
  state(): Promise<LeaseState | null>;
}
