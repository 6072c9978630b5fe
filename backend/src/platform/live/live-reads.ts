import { Injectable } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { ReadSide } from '../projections/read-side.js';

const WAIT_MS = 2_000;

/** The one place where live messages wait for read models. */
@Injectable()
export class LiveReads {
  constructor(private readonly readSide: ReadSide) {}

  /**
   * Runs work on read models that hold everything up to a position.
   * @throws Refused `store.away` after 2 s, or when the signal aborts
   */
  async asOf<Answer>(position: Position, work: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    if (!(await this.readSide.saved.waitFor(position, WAIT_MS, signal))) throw new Refused('store.away');
    return work();
  }
}

/** Whether read models lag behind: the same work succeeds later. */
export const isLag = (error: unknown): boolean => error instanceof Refused && error.code === 'store.away';
