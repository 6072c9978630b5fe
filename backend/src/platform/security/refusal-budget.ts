import type { Clock } from '../clock.js';

const WINDOW_MS = 60_000;
const PER_NETWORK = 300;
const IN_TOTAL = 1_000;

/** `announce`: the first one that is left out. */
export type Verdict = 'write' | 'announce' | 'leave-out';

/** Bounds the lines about refusals, which anyone can cause: 300 a minute from one network, 1,000 a minute from all of them, in each process. */
export class RefusalBudget {
  private since = -Infinity;
  private total = 0;
  /** Holds at most as many networks as lines in total. */
  private readonly ofNetworks = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  take(network: string): Verdict {
    const now = this.clock();
    // Also after the clock was set back.
    if (now - this.since >= WINDOW_MS || now < this.since) this.reset(now);
    if (this.total > IN_TOTAL) return 'leave-out';
    const count = (this.ofNetworks.get(network) ?? 0) + 1;
    if (count > PER_NETWORK + 1) return 'leave-out';
    this.ofNetworks.set(network, count);
    this.total += 1;
    return count > PER_NETWORK || this.total > IN_TOTAL ? 'announce' : 'write';
  }

  private reset(now: number): void {
    this.since = now;
    this.total = 0;
    this.ofNetworks.clear();
  }
}
