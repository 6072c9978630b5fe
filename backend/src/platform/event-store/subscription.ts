import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';

/** Readers waiting for the next commit. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** How often readers were woken. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves at the next commit or when the signal aborts. */
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
 * Pages of the log after a position: first stored events, then new commits, until the signal aborts. Each page is read on request.
 * Reading and starting to wait happen in the same event loop turn, so no commit is missed in between.
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
