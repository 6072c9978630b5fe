import { Refused } from '../../kernel/refusal.js';

/** Each attempt lasts as long as `ReadSide.hold` waits: a minute in total. */
const ATTEMPTS = 30;

/**
 * Repeats work that is refused because the read models lag, for callers without a client that would retry. Its writes are not undone, so it must be idempotent.
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
