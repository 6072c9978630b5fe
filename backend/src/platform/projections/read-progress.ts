import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { DiskFull } from '../store-errors.js';
import { PositionSignal } from './position-signal.js';

/** The names of the streams that a projector has parked. */
export type ParkedNames = Pick<ReadonlySet<string>, 'has'>;

const NONE: ParkedNames = new Set();

/** How far one projector's documents are, as far as this process knows. */
export class ReadProgress {
  readonly saved: PositionSignal;
  /** Streams whose later events its documents do not contain. */
  parked: ParkedNames = NONE;
  /** Whether its last failure was a full disk. */
  private isFull = false;

  /**
   * @param onWaiting called whenever something begins to wait for a position that is not reached yet
   * @param maxWaitMs how long {@link waitFor} waits, in milliseconds
   */
  constructor(
    onWaiting: (() => void) | undefined,
    private readonly maxWaitMs: number,
  ) {
    this.saved = new PositionSignal(onWaiting);
  }

  /** Waits until the documents contain everything up to a position. @throws Refused `store.away`, or DiskFull, on a timeout */
  async waitFor(position: Position): Promise<void> {
    if (await this.waitBestEffort(position)) this.isFull = false;
    else throw this.isFull ? new DiskFull('no room for the read models') : new Refused('store.away');
  }

  /** Waits as long as {@link waitFor}, but returns false on a timeout instead of throwing. */
  waitBestEffort(position: Position): Promise<boolean> {
    return this.saved.waitFor(position, this.maxWaitMs);
  }

  /** Records why building fails, for the errors of later timeouts. */
  fail(error: unknown): void {
    this.isFull = error instanceof DiskFull;
  }
}
