const MOST = 100;
const PER_SECOND = 20;

/**
 * How much a socket may ask for: a hundred messages at once and twenty a second from then on, far more than a page sends. What costs more to answer
 * than a message does is charged when its size is known.
 */
export class MessageBudget {
  private left = MOST;
  private at: number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number) {
    this.at = now();
  }

  /** True when there was enough for one more message. */
  take(): boolean {
    const now = this.now();
    this.left = Math.min(MOST, this.left + ((now - this.at) / 1_000) * PER_SECOND);
    this.at = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }

  /** Takes more for a message that was let through already. */
  charge(cost: number): void {
    this.left -= cost;
  }
}
