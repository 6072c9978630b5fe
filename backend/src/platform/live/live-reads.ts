import { Injectable } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { ReadModels } from '../projections/read-models.js';

/** The one place where live messages wait for read models. */
@Injectable()
export class LiveReads {
  constructor(private readonly reads: ReadModels) {}

  /**
   * Runs work whose reads each wait for their own read model to hold everything up to a position.
   * @throws Refused `store.away` when one takes over 2 s
   */
  asOf<Answer>(position: Position, work: () => Promise<Answer>): Promise<Answer> {
    return this.reads.asOf(position, work);
  }
}

/** Whether read models lag behind: the same work succeeds later. */
export const isLag = (error: unknown): boolean => error instanceof Refused && error.code === 'store.away';
