/** How retries are spaced, in milliseconds. */
export interface BackoffTimes {
  /** The longest wait before the first retry; it doubles with every further attempt. */
  readonly baseMs: number;
  /** No wait is longer than this. */
  readonly capMs: number;
}

/**
 * Exponential backoff with full jitter: a random wait from 0 up to min(capMs, baseMs * 2^(attempt-1)), so clients that failed together do not retry together.
 * @param attempt how many attempts have failed so far, from 1
 * @param random from 0 (included) to 1 (excluded)
 * @returns whole milliseconds
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export const backoffMs = (attempt: number, { baseMs, capMs }: BackoffTimes, random: () => number = Math.random): number =>
  Math.floor(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
