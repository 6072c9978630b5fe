const MOST = 100;
const PER_SECOND = 20;

/**
 * A token bucket per socket: a burst of a hundred messages and twenty a second from then on, far more than a page sends. Messages that are expensive to
 * answer are charged when their cost is known.
 */
export class MessageBudget {
  private left = MOST;
  private at: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number) {
    this.at = now();
  }

  /** Takes one message; false when there is no budget left. */
  take(): boolean {
    const now = this.now();
    this.left = Math.min(MOST, this.left + ((now - this.at) / 1_000) * PER_SECOND);
    this.at = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }

  /** Takes more for a message that was accepted already. */
  charge(cost: number): void {
    this.left -= cost;
  }
}
