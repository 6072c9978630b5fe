import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { DiskFull } from '../store-errors.js';
import { PositionSignal } from './position-signal.js';

const READ_YOUR_WRITES_MS = 2_000;

/**
 * How far the read models have come, as every process that serves them knows it: at once where they are built, by looking at what is stored
 * everywhere else. Only what builds or follows them calls `serve`, `withdraw` and `fail`.
 */
export class ReadSide {
  /** As far as everything that is served has come. */
  readonly saved: PositionSignal;
  private hasThisShape = false;
  /** What failed last failed for want of room. */
  private isFull = false;
  private readonly waiting = new Set<() => void>();

  /**
   * @param onWaiting told whenever somebody begins to wait for a position that is not reached yet
   * @param patienceMs how long {@link hold} waits, in milliseconds
   */
  constructor(
    onWaiting?: () => void,
    private readonly patienceMs = READ_YOUR_WRITES_MS,
  ) {
    this.saved = new PositionSignal(onWaiting);
  }

  /** False until read models of this program's versions are there: nothing can be asked before. */
  get isServed(): boolean {
    return this.hasThisShape;
  }

  /**
   * Waits until the read models hold what was written (null: nothing was). Whoever writes then reads their own writes.
   * @throws Refused `store.away`, or DiskFull, when that takes over 2 s: what was written stands, and the same command sent again is answered from it
   */
  async hold(position: Position | null): Promise<void> {
    const isHeld = position === null || (await this.saved.waitFor(position, this.patienceMs));
    if (isHeld) this.isFull = false;
    else throw this.isFull ? new DiskFull('no room for the read models') : new Refused('store.away');
  }

  /** Waits as long as {@link hold} and minds nothing: for what stands whether it can be read yet or not. */
  async giveTime(position: Position | null): Promise<void> {
    if (position !== null) await this.saved.waitFor(position, this.patienceMs);
  }

  /** True as soon as read models are served, false when they are not within the time (milliseconds). */
  servedWithin(milliseconds: number): Promise<boolean> {
    if (this.hasThisShape) return Promise.resolve(true);
    return new Promise((answer) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        answer(this.hasThisShape);
      };
      const timer = setTimeout(done, milliseconds);
      this.waiting.add(done);
    });
  }

  /** Read models of this program's versions are served, and hold everything up to a position. */
  serve(position: Position): void {
    this.hasThisShape = true;
    for (const done of this.waiting) done();
    this.saved.reach(position);
  }

  /** What is served has not the shape that this program knows (any more). */
  withdraw(): void {
    this.hasThisShape = false;
  }

  /** Building them failed for now: whoever waits in vain is told why. */
  fail(error: unknown): void {
    this.isFull = error instanceof DiskFull;
  }

  /** Nobody waits any longer. */
  close(): void {
    this.saved.close();
    for (const done of this.waiting) done();
  }
}
