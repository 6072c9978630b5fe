import { Refused } from '../../kernel/refusal.js';

/** Too many failures: answered with 429 and Retry-After. */
export class Throttled extends Refused {
  constructor(readonly retryAfterSeconds: number) {
    super('throttled');
  }
}
