import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../kernel/refusal.js';
import type { Newcomers } from './newcomers.js';

/** How many calls may run and wait, in all and of one person. What is missing is unlimited. */
export interface FairQueueLimits {
  readonly running: number;
  readonly runningPerPerson?: number;
  /** One of the running calls is reserved for people who have not called for some time. */
  readonly newcomers?: Newcomers;
  readonly waiting?: number;
  readonly waitingPerPerson?: number;
  /** The longest wait, in milliseconds. */
  readonly waitMs?: number;
  /** The code of a call that found the queue full or waited too long; `store.busy` when missing. */
  readonly refusal?: ProblemCode;
}

/** One person's calls: how many run, and the ones that wait, oldest first. */
interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs a limited number of calls at once. People take turns, so a person with many calls delays another by at most one call per free slot. */
export class FairQueue {
  /** In the order of the people's next turns. */
  private readonly lines = new Map<string, Line>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** @throws Refused with the queue's code if too many calls wait, or this one did not start in time; what `work` throws */
  async run<Answer>(person: string, work: () => Promise<Answer>): Promise<Answer> {
    const line = this.lines.get(person) ?? { running: 0, waiting: [] };
    this.lines.set(person, line);
    if (this.mayStart(person, line)) this.start(person, line);
    else await this.turn(line).finally(() => this.forgetIdle(person, line));
    try {
      return await work();
    } finally {
      this.finish(person, line);
    }
  }

  /** Resolves when the call may start, and is counted as running by then. */
  private turn(line: Line): Promise<void> {
    const { waiting = Infinity, waitingPerPerson = Infinity, waitMs, refusal = 'store.busy' } = this.limits;
    if (this.waiting >= waiting || line.waiting.length >= waitingPerPerson) return Promise.reject(new Refused(refusal));
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        line.waiting.splice(line.waiting.indexOf(start), 1);
        this.waiting -= 1;
        reject(new Refused(refusal));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      const start = (): void => {
        clearTimeout(timer);
        this.waiting -= 1;
        resolve();
      };
      line.waiting.push(start);
      this.waiting += 1;
    });
  }

  private mayStart(person: string, line: Line): boolean {
    const { running, runningPerPerson = Infinity, newcomers } = this.limits;
    const kept = newcomers === undefined || newcomers.has(person) ? 0 : 1;
    return this.running < running - kept && line.running < runningPerPerson;
  }

  private start(person: string, line: Line): void {
    this.running += 1;
    line.running += 1;
    this.limits.newcomers?.noteCall(person);
  }

  private finish(person: string, line: Line): void {
    this.running -= 1;
    line.running -= 1;
    // Behind everybody else.
    this.lines.delete(person);
    this.lines.set(person, line);
    this.forgetIdle(person, line);
    this.startNext();
  }

  /** A finished call frees one slot, so at most one call can start. */
  private startNext(): void {
    for (const [person, line] of this.lines) {
      const start = this.mayStart(person, line) ? line.waiting.shift() : undefined;
      if (start === undefined) continue;
      this.start(person, line);
      start();
      return;
    }
  }

  private forgetIdle(person: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.lines.delete(person);
  }
}
