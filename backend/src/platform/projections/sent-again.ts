import { Refused } from '../../kernel/refusal.js';

/** Each is as long as `ReadSide.hold` waits: a minute in all. */
const TRIES = 30;

/**
 * What `work` gives; begun anew while it is put off because the read models lag, where nobody is there to send it again. What it did stands, so it must
 * be harmless to do twice.
 * @throws what else it throws, and Refused `store.away` when they lag for good
 */
export async function sentAgain<Answer>(work: () => Promise<Answer>, tries = TRIES): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !(error instanceof Refused && error.code === 'store.away')) throw error;
    return sentAgain(work, tries - 1);
  }
}
