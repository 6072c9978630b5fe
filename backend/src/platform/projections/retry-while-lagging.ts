import { Refused } from '../../kernel/refusal.js';

/** Each attempt lasts as long as `ReadSide.waitFor` waits, so all together take a minute. */
const ATTEMPTS = 30;

/**
 * Repeats work that is refused because the read models lag. For callers that have no client to retry for them. Writes are not undone, so the work must be
 * idempotent.
 * @throws any other error of the work, and Refused `store.away` when the read models never catch up
 */
export async function retryWhileReadModelsLag<Answer>(work: () => Promise<Answer>, attempts = ATTEMPTS): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (attempts <= 1 || !(error instanceof Refused && error.code === 'store.away')) throw error;
    return retryWhileReadModelsLag(work, attempts - 1);
  }
}
