import type { Position } from '@roughmix/contracts/shared/ids.js';

interface Waiting {
  readonly position: Position;
  readonly resolve: (reached: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** A position that only grows and can be waited for. */
export class PositionSignal {
  private reached: Position = 0;
  private waiting: Waiting[] = [];

  /** @param onWaiting called whenever something begins to wait for a position that is not reached yet */
  constructor(private readonly onWaiting: () => void = () => undefined) {}

  get position(): Position {
    return this.reached;
  }

  get isAwaited(): boolean {
    return this.waiting.length > 0;
  }

  /** Resolves to true when the position is reached, to false on a timeout (in milliseconds) or an abort. */
  waitFor(position: Position, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (position <= this.reached) return Promise.resolve(true);
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((answer) => {
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((other) => other !== mine);
        mine.resolve(false);
      };
      const resolve = (reached: boolean): void => {
        clearTimeout(mine.timer);
        signal?.removeEventListener('abort', giveUp);
        answer(reached);
      };
      const mine: Waiting = { position, resolve, timer: setTimeout(giveUp, milliseconds) };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(mine);
      this.onWaiting();
    });
  }

  reach(position: Position): void {
    if (position <= this.reached) return;
    this.reached = position;
    const done = this.waiting.filter((waiting) => waiting.position <= position);
    this.waiting = this.waiting.filter((waiting) => waiting.position > position);
    for (const waiting of done) waiting.resolve(true);
  }

  /** Ends every wait. */
  close(): void {
    for (const waiting of this.waiting.splice(0)) waiting.resolve(false);
  }
}
