import type { Position } from '@roughmix/contracts/shared/ids.js';

/**
 * Remembers the range after our newest event that holds only system events. EventStoreDB keeps writing those (statistics every 30 seconds), and without this every
 * poll would read all of them again.
 */
export class LogEdge {
  #newest: Position = 0;
  #emptyTo: Position = 0;

  /** Position of our newest event seen so far, 0 if none. */
  get newest(): Position {
    return this.#newest;
  }

  /** Nothing of ours exists after {@link newest} up to here. */
  get emptyTo(): Position {
    return this.#emptyTo;
  }

  /** Records one of our events at this position. */
  saw(position: Position): void {
    if (position <= this.#newest) return;
    this.#newest = position;
    this.#emptyTo = Math.max(this.#emptyTo, position);
  }

  /** Records that everything after `from` up to `to` was read and every event of ours in it was passed to {@link saw}. */
  scanned(from: Position, to: Position): void {
    if (from <= this.#emptyTo && to > this.#emptyTo) this.#emptyTo = to;
  }

  /** The position at which to start reading for events after `after`. */
  startFor(after: Position): Position {
    return after >= this.#newest ? Math.max(after, this.#emptyTo) : after;
  }
}
