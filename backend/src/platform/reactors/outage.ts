import { backoffMs, type BackoffTimes } from '../backoff.js';
import type { Logger } from '../logger.js';

/** Milliseconds between retries while a store is unavailable: short at first, and at most ten seconds, by which a timer may be late. */
export const OUTAGE_TIMES: BackoffTimes = { baseMs: 400, capMs: 10_000 };

/**
 * The transient errors of one worker (see `isTransient`): how long to wait before each retry, and one log line when they begin and one when they end. A worker
 * that does several things at once names each in `failed` and `over`: they retry independently and share the log lines.
 */
export class Outage {
  /** The attempts in a row of everything that is failing. */
  private readonly failing = new Map<unknown, number>();
  private failures = 0;

  /** @param facts name the worker in both log lines */
  constructor(
    private readonly log: Logger,
    private readonly facts: Readonly<Record<string, unknown>>,
    private readonly times: BackoffTimes = OUTAGE_TIMES,
  ) {}

  /** How many attempts have failed since it began. */
  get attempts(): number {
    return this.failures;
  }

  /** One more attempt failed. @returns milliseconds to wait before the next one */
  failed(error: unknown, work: unknown = this): number {
    this.failures += 1;
    const attempt = (this.failing.get(work) ?? 0) + 1;
    this.failing.set(work, attempt);
    if (this.failures === 1) this.log.error({ err: error, ...this.facts }, 'a store is unavailable or busy: retrying with backoff');
    return backoffMs(attempt, this.times);
  }

  /** An attempt succeeded: the next outage starts with short waits again. */
  over(work: unknown = this): void {
    this.failing.delete(work);
    if (this.failures === 0 || this.failing.size > 0) return;
    this.log.info({ ...this.facts, attempts: this.failures }, 'the store is available again: continuing');
    this.failures = 0;
  }
}
