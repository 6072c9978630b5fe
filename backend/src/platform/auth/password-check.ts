import { Injectable } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { type Attempt, type FailureCounter, Throttle } from './throttle.js';

/** A password that matched. */
export interface CorrectPassword {
  /** Takes the attempt back: only failures count. */
  accept(): Promise<void>;
}

/** Compares passwords under throttles. Each attempt counts as a failure until it is accepted, so concurrent guesses cannot exceed a limit. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly passwords: Passwords,
    private readonly throttle: Throttle,
  ) {}

  /**
   * Null for a wrong password.
   * @param hashed null for an unknown account, which takes as long as a known one
   * @throws Throttled, Refused `store.busy`
   */
  async compare(hashed: string | null, password: string, counters: readonly FailureCounter[]): Promise<CorrectPassword | null> {
    await this.throttle.check(counters);
    const attempts: Attempt[] = [];
    const count = async (): Promise<void> => void attempts.push(await this.throttle.attempt(counters));
    const matches = await this.passwords.matches(hashed, password, count);
    if (!matches) return null;
    return {
      accept: async () => {
        for (const attempt of attempts) await attempt.refund();
      },
    };
  }
}
