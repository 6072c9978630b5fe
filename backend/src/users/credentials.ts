import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { passwordProblem, Passwords } from '../platform/auth/passwords.js';
import { AccountAccess } from './account-access.js';
import { type Account, Accounts } from './accounts.js';
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
    private readonly access: AccountAccess,
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
   * Sets the password that the welcome form asks for. Ends the user's sessions, with their sockets, except the one to keep, and their invite link. Device
   * cookies stay valid.
   * @throws Refused `password.*` (`password.unchanged` for the current one), `auth.required` without such an account, `store.busy` after a concurrent change
   */
  async setPassword(uid: Uid, newPassword: string, kept: KeptSession): Promise<void> {
    await this.replaceBy(newPassword, await this.requireAccount(uid), kept);
    await this.access.endInvite(uid);
  }

  /** The last steps of {@link setPassword}, which may not have happened although the account has the password. */
  async completeSetting(uid: Uid, { keep }: KeptSession): Promise<void> {
    await this.access.end(uid, keep);
    await this.access.endInvite(uid);
  }

  /** Changes the password of an account whose current one was verified, and tells the user: refused if it has another one by now. Otherwise as {@link setPassword}. */
  async changeFrom(account: Account, newPassword: string, kept: KeptSession): Promise<void> {
    await this.replaceBy(newPassword, account, kept);
    await this.notices.passwordChanged(account.uid);
  }

  /**
   * Sets a password without the current one, after the holder of the email address proved to be it. Ends all sessions with their sockets and all device
   * cookies, starts new throttle counters, and tells the user.
   * @throws Refused `password.*`, `auth.required` without such an account, `store.busy` after a concurrent change
   */
  async resetPassword(uid: Uid, newPassword: string): Promise<void> {
    this.requireAcceptable(newPassword);
    const account = await this.requireAccount(uid);
    await this.replace(account, { passwordHash: await this.passwords.hash(newPassword), resets: (account.resets ?? 0) + 1 }, { keep: null });
    await this.notices.passwordChanged(uid);
  }

  private async requireAccount(uid: Uid): Promise<Account> {
    const found = await this.accounts.get(uid);
    // The guest has no email address, and nobody may lock everyone else out.
    if (found === null || found.body.state === 'erasing' || found.body.email === '') throw new Refused('auth.required');
    return found.body;
  }

  private async replaceBy(newPassword: string, account: Account, kept: KeptSession): Promise<void> {
    this.requireAcceptable(newPassword);
    if (await this.passwords.matches(account.passwordHash, newPassword)) throw new Refused('password.unchanged', { field: 'newPassword' });
    await this.replace(account, { passwordHash: await this.passwords.hash(newPassword) }, kept);
  }

  /** Every change of a password ends here. */
  private async replace(account: Account, changes: Partial<Account>, { keep }: KeptSession): Promise<void> {
    // First, so that a crash before the end leaves no session of the old password.
    await this.access.end(account.uid, keep);
    await this.store(account, changes);
    // What started with the old password in the meantime. A sign-in that is still going on notices the change (SignIn.isCurrent).
    await this.access.end(account.uid, keep);
  }

  private async store({ uid, passwordHash }: Account, changes: Partial<Account>): Promise<void> {
    for (;;) {
      const found = await this.accounts.get(uid);
      if (found === null || found.body.state === 'erasing') throw new Refused('auth.required');
      if (found.body.passwordHash !== passwordHash) throw new Refused('store.busy');
      if (await this.accounts.change(found, changes)) return;
    }
  }
}
