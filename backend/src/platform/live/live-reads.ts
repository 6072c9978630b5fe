import { Injectable } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { ReadModels } from '../projections/read-models.js';
import { ReadSide } from '../projections/read-side.js';

/** How long to wait for all read models together before each read waits for its own. */
const KEEPING_UP_MS = 20;

/** The one place where live messages wait for read models. */
@Injectable()
export class LiveReads {
  /** Whether some read model was behind at the last wait. */
  private isLagging = false;

  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
  ) {}

  /**
   * Runs work on read models that hold everything up to a position. Usually all of them arrive together, and the work needs no scope, which would slow every
   * await of the process (see read-scope.ts). While one lags, each read waits for its own read model only.
   * @throws Refused `store.away` when a read waits over 2 s
   */
  async asOf<Answer>(position: Position, work: () => Promise<Answer>): Promise<Answer> {
    const { saved } = this.readSide;
    const isBehind = saved.position < position && (this.isLagging || !(await saved.waitFor(position, KEEPING_UP_MS)));
    this.isLagging = isBehind;
    return isBehind ? this.reads.asOf(position, work) : work();
  }
}

/** Whether read models lag behind: the same work succeeds later. */
export const isLag = (error: unknown): boolean => error instanceof Refused && error.code === 'store.away';
