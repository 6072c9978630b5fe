import type { Position } from '@roughmix/contracts/shared/ids.js';

/** The position of each event of a log in a second log with the same events. */
export class MovedPositions {
  private readonly from: Position[] = [];
  private readonly to: Position[] = [];

  get size(): number {
    return this.from.length;
  }

  /** The last known position in the first log, 0 if there is none. */
  get lastSource(): Position {
    return this.from.at(-1) ?? 0;
  }

  /** Must be called in the order of the log. */
  add(from: Position, to: Position): void {
    this.from.push(from);
    this.to.push(to);
  }

  /** The position in the second log that is followed by the same events as this position in the first. */
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
