import type { ProblemCode, ProblemExtras } from '@roughmix/contracts/shared/problems.js';

/** What a decider answers instead of events: a stable code, and what the problem's body says beside it. */
export interface Refusal {
  readonly refused: ProblemCode;
  readonly extras?: ProblemExtras;
}

/** A refusal, as a value. */
export const refuse = (refused: ProblemCode, extras?: ProblemExtras): Refusal => (extras === undefined ? { refused } : { refused, extras });

/** Tells a refusal from a list of events. */
export const isRefusal = (answer: unknown): answer is Refusal => typeof answer === 'object' && answer !== null && 'refused' in answer;

/** A refusal on its way out of the code that cannot return one; the HTTP filter and the gateways' filter turn it into a problem body. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly code: ProblemCode,
    readonly extras?: ProblemExtras,
  ) {
    super(code);
  }
}
