import { Refused } from '../kernel/refusal.js';

interface QueuedCall {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Runs a limited number of calls at once. The others wait in order, in a queue of limited length and for a limited time. */
export class ConcurrencyLimiter {
  private readonly queue: QueuedCall[] = [];
  private running = 0;

  constructor(
    private readonly limit: number,
    private readonly deadlineMs: number,
    private readonly maxQueued: number,
  ) {}

  /** @throws Refused `store.busy` when the queue is full, or the call did not start within the deadline */
  async run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.running < this.limit) this.running += 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next === undefined) this.running -= 1;
      else {
        clearTimeout(next.timer);
        next.start();
      }
    }
  }

  /** Resolves when a finished call hands its slot to this one. */
  private turn(): Promise<void> {
    if (this.queue.length >= this.maxQueued) return Promise.reject(new Refused('store.busy'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(call), 1);
        reject(new Refused('store.busy'));
      }, this.deadlineMs);
      const call: QueuedCall = { start: resolve, timer };
      this.queue.push(call);
    });
  }
}
