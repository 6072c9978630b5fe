import type { Position } from '@roughmix/contracts/shared/ids.js';

/** Where each event of one log lies in another that holds the same events. */
export class MovedPositions {
  private readonly from: Position[] = [];
  private readonly to: Position[] = [];

  /** How many events are known. */
  get size(): number {
    return this.from.length;
  }

  /** The last position known of the first log, 0 without one. */
  get lastFrom(): Position {
    return this.from.at(-1) ?? 0;
  }

  /** Events are told in the order of the logs. */
  add(from: Position, to: Position): void {
    this.from.push(from);
    this.to.push(to);
  }

  /** The place in the other log behind which the same events follow as behind this one. */
  of(position: Position): Position {
    let low = 0;
    let high = this.from.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.from[middle] ?? Infinity) <= position) low = middle + 1;
      else high = middle;
    }
    return this.to[low - 1] ?? 0;
  }
}
