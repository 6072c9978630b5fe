import type { Position } from '@roughmix/contracts/shared/ids.js';

/**
 * How far the log is known to hold nothing of ours behind our newest event: EventStoreDB writes events of its own without end (statistics each half minute), and
 * whoever asks for news again and again must not read them again and again.
 */
export class LogEdge {
  #newest: Position = 0;
  #bareTo: Position = 0;

  /** The newest event of ours that was seen, 0 when none was. */
  get newest(): Position {
    return this.#newest;
  }

  /** There is nothing of ours after {@link newest} up to here. */
  get bareTo(): Position {
    return this.#bareTo;
  }

  /** An event of ours lies here. */
  saw(position: Position): void {
    if (position <= this.#newest) return;
    this.#newest = position;
    this.#bareTo = Math.max(this.#bareTo, position);
  }

  /** Everything after `from` up to `to` was read, and every event of ours in it was told to {@link saw}. */
  scanned(from: Position, to: Position): void {
    if (from <= this.#bareTo && to > this.#bareTo) this.#bareTo = to;
  }

  /** Where to begin reading for what lies after a position. */
  startFor(after: Position): Position {
    return after >= this.#newest ? Math.max(after, this.#bareTo) : after;
  }
}
