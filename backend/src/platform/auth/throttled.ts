import { Refused } from '../../kernel/refusal.js';

/** Too many failures: 429, and how long to wait. */
export class Throttled extends Refused {
  constructor(readonly retryAfterSeconds: number) {
    super('throttled');
  }
}
