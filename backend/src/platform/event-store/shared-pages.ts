import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Wakeups } from './subscription.js';

/** Followers at the end of the log share its last page and the empty one after it. Those that catch up read different pages. */
const KEPT = 4;

/** Pages of the log, shared by its followers: each commit wakes some twenty of them, and until the next commit each page is read once. */
export class SharedPages {
  readonly #pages = new Map<string, readonly StoredEvent[]>();
  #wakes = 0;

  constructor(
    private readonly wakeups: Wakeups,
    private readonly read: (after: Position, limit: number) => readonly StoredEvent[],
  ) {}

  page(after: Position, limit: number): readonly StoredEvent[] {
    if (this.#wakes !== this.wakeups.count) this.#pages.clear();
    this.#wakes = this.wakeups.count;
    const key = `${after} ${limit}`;
    const page = this.#pages.get(key) ?? this.read(after, limit);
    this.#pages.set(key, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > KEPT && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}
