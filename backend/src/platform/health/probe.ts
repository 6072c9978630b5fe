import { DiskFull } from '../store-errors.js';
import { within } from './deadline.js';

/** Whether a store takes writes: yes; there is no room; or it refuses, or does not answer in time. */
export type StoreState = 'ok' | 'full' | 'away';

/** How long a store may take to say that it can be written, in milliseconds. */
const DEADLINE_MS = 2_000;
/** What was found counts for so long: who asks more often costs no writes. */
const FRESH_MS = 1_000;

/** Tries whether a store can be written: one write at a time, and not more than one a second, however many ask. */
export class Probe {
  private asking: Promise<StoreState> | null = null;
  private found: { readonly state: StoreState; readonly at: number } | null = null;

  /** @param now milliseconds that only go forwards */
  constructor(
    private readonly write: () => Promise<void>,
    private readonly deadlineMs: number = DEADLINE_MS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async state(): Promise<StoreState> {
    if (this.found !== null && this.now() - this.found.at < FRESH_MS) return this.found.state;
    this.asking ??= this.ask();
    try {
      return await within(this.deadlineMs, this.asking);
    } catch {
      // A store that does not answer is away; the question stays open, and no second one is asked beside it.
      return 'away';
    }
  }

  private async ask(): Promise<StoreState> {
    const state = await this.write().then(() => 'ok' as const, stateIn);
    this.found = { state, at: this.now() };
    this.asking = null;
    return state;
  }
}

const stateIn = (error: unknown): StoreState => (error instanceof DiskFull ? 'full' : 'away');
