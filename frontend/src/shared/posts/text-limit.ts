import { detailOf } from '@roughmix/contracts/shared/problems.js';

/** How long a text may be, and the problem of a longer one. */
export interface TextLimit {
  readonly length: number;
  readonly problem: Parameters<typeof detailOf>[0];
}

/** Why a text cannot be sent; null when it can. */
export const textProblem = (text: string, { length, problem }: TextLimit): string | null => (text.length > length ? detailOf(problem) : null);
