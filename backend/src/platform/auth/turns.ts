import { Refused } from '../../kernel/refusal.js';

interface Waiting {
  readonly go: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Lets a few work at a time; the others wait in order, but not for ever, and not more than a queue of them. */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private working = 0;

  constructor(
    private readonly atOnce: number,
    private readonly deadlineMs: number,
    private readonly longestQueue: number,
  ) {}

  /** @throws Refused `store.busy` when too many wait already, or its turn did not come within the deadline */
  async take<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.working < this.atOnce) this.working += 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.working -= 1;
      else {
        clearTimeout(next.timer);
        next.go();
      }
    }
  }

  /** Resolves when somebody hands over their place. */
  private turn(): Promise<void> {
    if (this.waiting.length >= this.longestQueue) return Promise.reject(new Refused('store.busy'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(mine), 1);
        reject(new Refused('store.busy'));
      }, this.deadlineMs);
      const mine: Waiting = { go: resolve, timer };
      this.waiting.push(mine);
    });
  }
}
