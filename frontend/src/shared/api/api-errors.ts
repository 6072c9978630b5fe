import { basicDetailOf } from '@roughmix/contracts/shared/basic-problems.js';
import type { Problem, ProblemCode } from '@roughmix/contracts/shared/problems.js';

/** The server refused the request. `message` is for the user; `problem` has the details. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: Problem;
  /** Seconds from the `Retry-After` header, or null. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, retryAfter: number | null = null) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** No response: no connection, or a timeout. The outcome of the request is unknown. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';

  constructor(cause: unknown) {
    super('Roughmix cannot be reached right now.', { cause });
  }
}

/** A proxy or the file store refused an upload, not Roughmix itself. `message` is for the user. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused';
}

/** True for a refusal with this code. */
export const isProblem = (error: unknown, code: ProblemCode): error is ApiProblem => error instanceof ApiProblem && error.problem.code === code;

/** An error's message for the user. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiProblem || error instanceof OfflineError || error instanceof UploadRefused ? error.message : basicDetailOf('internal');

/** True if the caller aborted the request. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
