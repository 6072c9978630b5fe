import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';
import { endlessTerm, type Lease, type Term } from './lease.js';

/** The lease of a program that has its data to itself. Nothing is written and nothing waits. */
export class PermanentLease implements Lease {
  readonly isPermanent = true;

  constructor(readonly name: string) {}

  acquire(signal: AbortSignal): Promise<Term | null> {
    return Promise.resolve(signal.aborted ? null : endlessTerm());
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  state(): Promise<LeaseState | null> {
    return Promise.resolve(null);
  }
}
