import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { passwordProblem, Passwords } from '../platform/auth/passwords.js';
import type { Account } from './account-records.js';
import { Accounts } from './accounts.js';
import { PasswordChanges } from './password-changes.js';
import { SecurityNotices } from './security-notices.js';

/** What becomes of the account's sessions. */
export interface KeptSession {
  /** The session that survives; null ends all of them. */
  readonly keep: string | null;
}

/** The only place that changes a password. */
@Injectable()
export class Credentials {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly changes: PasswordChanges,
    private readonly notices: SecurityNotices,
  ) {}

  /** @throws Refused `password.*` */
  requireAcceptable(newPassword: string): void {
    const problem = passwordProblem(newPassword);
    if (problem !== null) throw new Refused(problem, { field: 'newPassword' });
  }

  /** Whether an account has this password now. */
  isCurrent({ passwordHash }: Account, password: string): Promise<boolean> {
    return this.passwords.matches(passwordHash, password);
  }

  /**
   * Sets the password that the welcome form asks for, and tells the user if it replaces one. Ends the user's sessions, with their sockets, except the one to
   * keep, and all e-mailed links. Device cookies stay valid.
   * @throws Refused `password.*` (`password.unchanged` for the current one), `auth.required` without such an account, `store.busy` after a concurrent change
   */
  async setPassword(uid: Uid, newPassword: string, kept: KeptSession): Promise<void> {
    const account = await this.requireAccount(uid);
    if (!(await this.replaceBy(newPassword, account, kept))) throw new Refused('store.busy');
    if (account.passwordHash !== '') await this.notices.passwordChanged(uid);
  }

  /** The last steps of {@link setPassword}, which may not have happened although the account has the password. Whether it replaced one is unknown by now. */
  async completeSetting(uid: Uid, { keep }: KeptSession): Promise<void> {
    await this.changes.complete(await this.requireAccount(uid), keep);
    await this.notices.passwordChanged(uid);
  }

  /**
   * Changes the password of an account whose current one was verified, and tells the user. Otherwise as {@link setPassword}.
   * @throws Refused `password.incorrect` if it has another one by now
   */
  async changeFrom(account: Account, newPassword: string, kept: KeptSession): Promise<void> {
    if (!(await this.replaceBy(newPassword, account, kept))) throw new Refused('password.incorrect', { field: 'currentPassword' });
    await this.notices.passwordChanged(account.uid);
  }

  /**
   * Sets a password without the current one, after the holder of the email address proved to be it. Ends all sessions with their sockets and all device
   * cookies, starts new throttle counters, and tells the user.
   * @param isProven whether the proof is still valid; each change of the password ends it
   * @throws Refused `password.*`, `auth.required` without such an account, `reset.spent` when the proof is no longer valid
   */
  async resetPassword(uid: Uid, newPassword: string, isProven: () => Promise<boolean>): Promise<void> {
    this.requireAcceptable(newPassword);
    // Read before the proof is checked: a change that ends the proof after the check is noticed when the password is stored.
    const account = await this.requireAccount(uid);
    if (!(await isProven())) throw new Refused('reset.spent');
    if (this.changes.isUnderWay(account)) await this.completeReset(account, newPassword);
    else if (!(await this.storeReset(account, newPassword))) throw new Refused('reset.spent');
    await this.notices.passwordChanged(uid);
  }

  private async storeReset(account: Account, newPassword: string): Promise<boolean> {
    const passwordHash = await this.passwords.hash(newPassword);
    return this.changes.replace(account, { passwordHash, resets: (account.resets ?? 0) + 1 }, null);
  }

  /** The same reset, sent again after a failure behind the point where the password was stored. @throws Refused `reset.spent` for any other */
  private async completeReset(account: Account, newPassword: string): Promise<void> {
    if ((account.keptSession ?? null) !== null || !(await this.isCurrent(account, newPassword))) throw new Refused('reset.spent');
    await this.changes.complete(account, null);
  }

  private async requireAccount(uid: Uid): Promise<Account> {
    const found = await this.accounts.get(uid);
    // The guest has no email address, and nobody may lock everyone else out.
    if (found === null || found.body.state === 'erasing' || found.body.email === '') throw new Refused('auth.required');
    return found.body;
  }

  private async replaceBy(newPassword: string, account: Account, { keep }: KeptSession): Promise<boolean> {
    this.requireAcceptable(newPassword);
    if (await this.passwords.matches(account.passwordHash, newPassword)) throw new Refused('password.unchanged', { field: 'newPassword' });
    return this.changes.replace(account, { passwordHash: await this.passwords.hash(newPassword) }, keep);
  }
}
