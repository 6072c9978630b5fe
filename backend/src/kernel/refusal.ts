import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode, ProblemExtras } from '@roughmix/contracts/shared/problems.js';

/** What a decider returns instead of events: a stable code, and extra fields for the problem's body. */
export interface Refusal {
  readonly refused: ProblemCode;
  readonly extras?: ProblemExtras;
}

/** Creates a refusal. */
export const refuse = (refused: ProblemCode, extras?: ProblemExtras): Refusal => (extras === undefined ? { refused } : { refused, extras });

/** Tells a refusal from a list of events. */
export const isRefusal = (answer: unknown): answer is Refusal => typeof answer === 'object' && answer !== null && 'refused' in answer;

/** A refusal thrown where it cannot be returned; the filters for HTTP and the socket turn it into a problem body. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly #extras: ProblemExtras | undefined;

  /** @param position of the last event that the command appended before it was refused */
  constructor(
    readonly code: ProblemCode,
    extras?: ProblemExtras,
    readonly position?: Position,
  ) {
    super(code);
    this.#extras = extras;
  }

  /** Not a field, because logged errors show their fields, and extras may contain texts that people wrote. */
  get extras(): ProblemExtras | undefined {
    return this.#extras;
  }
}
