import { StoreAway } from '../store-errors.js';

interface Waiting {
  readonly go: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Lets so many calls be under way at once; the others wait in order, each no longer than it may. */
export class CallSlots {
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Waits at most until `due` (of `performance.now()`). @throws StoreAway when its turn did not come, and what the work throws */
  async run<Answer>(due: number, work: () => Promise<Answer>): Promise<Answer> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(due);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  #handOver(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.go();
  }

  #turn(due: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiting.delete(waiting);
        reject(new StoreAway('too many calls are waiting for EventStoreDB'));
      };
      const waiting: Waiting = { go: resolve, timer: setTimeout(late, Math.max(0, due - performance.now())) };
      this.#waiting.add(waiting);
    });
  }
}
