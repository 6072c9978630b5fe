import type { Position } from '@roughmix/contracts/shared/ids.js';

interface Waiting {
  readonly position: Position;
  readonly resolve: (reached: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** Tells those who wait when a position has been reached. */
export class PositionSignal {
  private reached: Position = 0;
  private waiting: Waiting[] = [];

  get position(): Position {
    return this.reached;
  }

  /** True as soon as the position is reached, false when it is not within the time (milliseconds). */
  waitFor(position: Position, milliseconds: number): Promise<boolean> {
    if (position <= this.reached) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other.timer !== timer);
        resolve(false);
      }, milliseconds);
      this.waiting.push({ position, resolve, timer });
    });
  }

  reach(position: Position): void {
    if (position <= this.reached) return;
    this.reached = position;
    const done = this.waiting.filter((waiting) => waiting.position <= position);
    this.waiting = this.waiting.filter((waiting) => waiting.position > position);
    for (const waiting of done) {
      clearTimeout(waiting.timer);
      waiting.resolve(true);
    }
  }

  /** Nobody waits any longer. */
  close(): void {
    for (const waiting of this.waiting.splice(0)) {
      clearTimeout(waiting.timer);
      waiting.resolve(false);
    }
  }
}
