const FIRST_MS = 2_000;
const SLOWEST_MS = 30_000;

/** Exponential backoff with jitter, so that the tabs of a studio do not all reconnect at once. */
export interface Backoff {
  readonly next: () => number;
  readonly reset: () => void;
}

export function createBackoff(random: () => number = Math.random): Backoff {
  let tries = 0;
  return {
    next: () => {
      const longest = Math.min(SLOWEST_MS, FIRST_MS * 2 ** tries);
      tries += 1;
      return longest * (0.5 + random() / 2);
    },
    reset: () => void (tries = 0),
  };
}
