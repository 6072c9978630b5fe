import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';

/** Whoever waits for the next commit. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();

  wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Ends with the next commit or when the signal aborts, and leaves nothing behind on either. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }
}

/**
 * Pages of the log from after a position on: what is there first, then what is committed, until the signal aborts. A page is read
 * when the reader asks, and reading and starting to wait happen in one turn, so that no commit falls between.
 */
export async function* follow(options: {
  readonly after: Position;
  readonly signal: AbortSignal;
  readonly wakeups: Wakeups;
  readonly read: (after: Position) => readonly StoredEvent[];
}): AsyncGenerator<readonly StoredEvent[], void, void> {
  const { signal, wakeups, read } = options;
  let { after } = options;
  while (!signal.aborted) {
    const page = read(after);
    const last = page.at(-1);
    if (last === undefined) {
      await wakeups.next(signal);
      continue;
    }
    yield page;
    after = last.position;
  }
}
