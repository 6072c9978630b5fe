import { DiskFull } from '../store-errors.js';
import { within } from './deadline.js';

/** Whether a store accepts writes. `full`: its disk is full; `away`: it refuses, or does not answer in time. */
export type StoreState = 'ok' | 'full' | 'away';

const DEADLINE_MS = 2_000;
/** How long a result is reused, so frequent callers cause no writes. */
const FRESH_MS = 1_000;

/** Checks whether a store accepts writes: one write at a time, at most one per second. */
export class Probe {
  private running: Promise<StoreState> | null = null;
  private last: { readonly state: StoreState; readonly at: number } | null = null;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly write: () => Promise<void>,
    private readonly deadlineMs: number = DEADLINE_MS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async state(): Promise<StoreState> {
    if (this.last !== null && this.now() - this.last.at < FRESH_MS) return this.last.state;
    this.running ??= this.check();
    try {
      return await within(this.deadlineMs, this.running);
    } catch {
      // The write is still running and no second one is started; its result counts once it arrives.
      return 'away';
    }
  }

  private async check(): Promise<StoreState> {
    const state = await this.write().then(() => 'ok' as const, stateIn);
    this.last = { state, at: this.now() };
    this.running = null;
    return state;
  }
}

const stateIn = (error: unknown): StoreState => (error instanceof DiskFull ? 'full' : 'away');
