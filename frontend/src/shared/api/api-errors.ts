import { detailOf, type Problem, type ProblemCode } from '@roughmix/contracts/shared/problems.js';

/** The server refused: `message` is the sentence for the user, `problem` says more. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: Problem;
  /** Seconds to wait as the server asked for, else null. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, retryAfter: number | null = null) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** No answer came: no connection, or none within the deadline. What the server did is unknown. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';

  constructor(cause: unknown) {
    super('Roughmix cannot be reached right now.', { cause });
  }
}

/** True for a refusal with this code. */
export const isProblem = (error: unknown, code: ProblemCode): error is ApiProblem => error instanceof ApiProblem && error.problem.code === code;

/** The sentence for the user, whatever went wrong. */
export const sentenceOf = (error: unknown): string => (error instanceof ApiProblem || error instanceof OfflineError ? error.message : detailOf('internal'));

/** True when the caller itself gave up waiting. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
