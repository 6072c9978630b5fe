import { ApiProblem } from '../../shared/api/api-errors';

const INVALID = 'This is not valid.';

/** What is wrong with one field of a form; undefined if the server refused another, or nothing. */
export function fieldErrorOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const { problem } = error;
  if (problem.field === field) return problem.detail;
  // The details of an invalid shape are for programs.
  return problem.errors?.some((one) => one.field === field) ? INVALID : undefined;
}
