import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadSide } from '../projections/read-side.js';
import type { ReactorParts } from './reactor-runner.js';

/** A scheduled job of the process that runs the reactors. Idempotent. */
export interface Chore {
  readonly name: string;
  /** `start`: once when the reactors start in a process; retried soon after a failure. */
  readonly when: 'hourly' | 'start' | 'start and hourly';
  readonly run: () => Promise<unknown>;
}

export interface ChoreParts {
  readonly log: ReactorParts['log'];
  /** Chores read the read models: they wait until these are served. */
  readonly readSide: Pick<ReadSide, 'servedWithin'>;
  /** Milliseconds before a failed chore is retried. */
  readonly againMs?: number;
}

const HOUR_MS = 60 * 60_000;
/** Poll interval while waiting for read models. */
const SERVED_MS = 1_000;
/** Pause before a failed chore is retried. */
const AGAIN_MS = 30_000;

/** Runs chores, each on its own schedule, until the signal aborts. Stopping does not wait for them: they are idempotent and run again. */
export class Chores {
  /** By chore: when the first of its failures since its last success happened (`performance.now`), null without one. */
  private readonly failingSince = new Map<string, number | null>();

  constructor(private readonly parts: ChoreParts) {}

  start(chores: readonly Chore[], signal: AbortSignal): void {
    this.failingSince.clear();
    for (const chore of chores) {
      this.failingSince.set(chore.name, null);
      void this.repeat(chore, signal);
    }
  }

  /** Nothing runs here any more, so nothing fails here. */
  forget(): void {
    this.failingSince.clear();
  }

  /** By chore: seconds for which it has been failing, 0 when its last run succeeded or is still to come. */
  failingSeconds(): Readonly<Record<string, number>> {
    const now = performance.now();
    return Object.fromEntries([...this.failingSince].map(([name, since]) => [name, since === null ? 0 : (now - since) / 1_000]));
  }

  private async repeat({ name, when, run }: Chore, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.parts.readSide.servedWithin(SERVED_MS)));
    if (signal.aborted) return;
    for (let wait = when === 'hourly' ? HOUR_MS : 0; ; wait = (await this.isDone(name, run, signal)) ? HOUR_MS : (this.parts.againMs ?? AGAIN_MS)) {
      if (wait === HOUR_MS && when === 'start') return;
      // An abort ends the pause with an error, and the loop.
      if (wait > 0) await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  private async isDone(name: string, run: () => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
    try {
      await run();
      if (!signal.aborted) this.failingSince.set(name, null);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.failingSince.set(name, this.failingSince.get(name) ?? performance.now());
      this.parts.log.error({ err: error, chore: name }, 'a chore failed, trying again');
      return false;
    }
  }
}
