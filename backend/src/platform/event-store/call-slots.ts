import { ServiceUnavailable } from '../store-errors.js';

interface Waiting {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Limits concurrent calls; further ones queue in order, each until its own deadline. */
export class CallSlots {
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Waits for a slot until `due` (of `performance.now()`) at most. @throws ServiceUnavailable when none became free, or what `work` throws */
  async run<Answer>(due: number, work: () => Promise<Answer>): Promise<Answer> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitForSlot(due);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.start();
  }

  #waitForSlot(due: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiting.delete(waiting);
        reject(new ServiceUnavailable('too many calls are waiting for EventStoreDB'));
      };
      const waiting: Waiting = { start: resolve, timer: setTimeout(late, Math.max(0, due - performance.now())) };
      this.#waiting.add(waiting);
    });
  }
}
