import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { backoffMs } from '../backoff.js';

/** How long a stream counts as contended after another process wrote on it. */
const CONTENDED_MS = 2_000;
const MOST_STREAMS = 1_000;
const TIMES = { baseMs: 4, capMs: 150 };

interface Contended {
  /** About the most attempts that a command lost here lately. */
  readonly losses: number;
  /** When this process last appended there, on a monotonic clock. */
  readonly wonAt: number;
}

/** The clock, pauses and random numbers. */
export interface Timing {
  /** From 0 (included) to 1 (excluded). */
  random(): number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

const REAL: Timing = { random: Math.random, now: () => performance.now(), pause: (milliseconds) => pause(milliseconds) };

/**
 * Backs off on streams that other processes write at the same time. The process that appended last backs off longest, so a busy writer cannot starve a
 * permission revocation that comes through another process.
 */
export class Contention {
  readonly #streams: LRUCache<string, Contended>;

  constructor(private readonly timing: Timing = REAL) {
    this.#streams = new LRUCache({ max: MOST_STREAMS, ttl: CONTENDED_MS, ttlResolution: 0, perf: timing });
  }

  /** Before a command's first attempt: backs off from this process's last append there, which an idle process has long done. */
  async giveWay(stream: string): Promise<void> {
    const contended = this.#streams.get(stream);
    if (contended === undefined) return;
    const left = contended.wonAt + this.#backoff(contended.losses) - this.timing.now();
    if (left > 0) await this.timing.pause(left);
  }

  /** Another process was seen writing there. */
  seen(stream: string, losses = 1): void {
    const known = this.#streams.get(stream);
    this.#streams.set(stream, { losses: Math.max(losses, known?.losses ?? 1), wonAt: known?.wonAt ?? -Infinity });
  }

  /** Another process was faster. Retries stay quick: it is the winner's turn to back off. */
  async lost(stream: string, attempts: number): Promise<void> {
    this.seen(stream, attempts);
    await this.timing.pause(this.#backoff(1));
  }

  /** A command got through here. */
  won(stream: string): void {
    const known = this.#streams.get(stream);
    if (known === undefined) return;
    const noUpdateTTL = true;
    this.#streams.set(stream, { losses: Math.max(1, known.losses - 1), wonAt: this.timing.now() }, { noUpdateTTL });
  }

  #backoff(attempt: number): number {
    return backoffMs(attempt, TIMES, () => this.timing.random());
  }
}
