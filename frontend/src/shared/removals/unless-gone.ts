import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { isProblem } from '../api/api-errors';

/** The answer of a removal; null if the item was gone already. */
export async function unlessGone<T>(code: ProblemCode, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isProblem(error, code)) return null;
    throw error;
  }
}
