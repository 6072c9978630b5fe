import { Inject, Injectable } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { CLOCK } from '../platform/tokens.js';
import { AccountAccess } from './account-access.js';
import type { Account } from './account-records.js';
import { Accounts } from './accounts.js';

/** A change that takes longer was interrupted. */
const LONGEST_MS = 60_000;

/**
 * Stores new passwords, then ends what the former ones gave access to. Storing decides between several changes at once, so a change that loses or fails
 * ends nothing. The account notes that sessions have yet to end, so that an interrupted change can be completed.
 */
@Injectable()
export class PasswordChanges implements ChoreSource {
  constructor(
    private readonly accounts: Accounts,
    private readonly access: AccountAccess,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  chores(): readonly Chore[] {
    return [{ name: 'interrupted password changes', when: 'start and hourly', run: () => this.completeInterrupted(false) }];
  }

  /**
   * Replaces the password that an account had when it was read.
   * @param keep the session that survives; null ends all of them
   * @returns false if the account has another password by now
   * @throws Refused `auth.required` without such an account
   */
  async replace(
    { uid, passwordHash }: Account,
    changes: Pick<Account, 'passwordHash'> & Partial<Pick<Account, 'resets'>>,
    keep: string | null,
  ): Promise<boolean> {
    for (;;) {
      const found = await this.accounts.get(uid);
      if (found === null || found.body.state === 'erasing') throw new Refused('auth.required');
      if (found.body.passwordHash !== passwordHash) return false;
      if (await this.accounts.change(found, { ...changes, endingSince: this.clock(), keptSession: keep })) break;
    }
    await this.complete({ uid, passwordHash: changes.passwordHash }, keep);
    return true;
  }

  /** Whether a change has stored this password but perhaps not ended all sessions and links yet. */
  isUnderWay({ endingSince = 0 }: Account): boolean {
    return endingSince > this.clock() - LONGEST_MS;
  }

  /** Ends the sessions that started with an earlier password, with their sockets, and the e-mailed links. A sign-in that is still going on notices the change (SignIn.isCurrent). */
  async complete({ uid, passwordHash }: Pick<Account, 'uid' | 'passwordHash'>, keep: string | null): Promise<void> {
    await this.access.end(uid, keep);
    for (let found = await this.accounts.get(uid); found?.body.passwordHash === passwordHash && isEnding(found.body); found = await this.accounts.get(uid)) {
      if (await this.accounts.change(found, { endingSince: 0, keptSession: null })) return;
    }
  }

  /** Completes the changes that crashes interrupted. @param everything also those of the last minute: nobody can be changing a password now */
  async completeInterrupted(everything: boolean): Promise<void> {
    const latest = this.clock() - (everything ? 0 : LONGEST_MS);
    for (const account of await this.accounts.endingUntil(latest)) await this.complete(account, account.keptSession ?? null);
  }
}

const isEnding = ({ endingSince = 0 }: Account): boolean => endingSince > 0;
