const FIRST_MS = 2_000;
const SLOWEST_MS = 30_000;

/** How long to wait before the next try: longer each time, and never as long as another tab, so that they do not all come back at once. */
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
