import { Inject, Injectable } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import { LinkTokens } from '../platform/auth/link-tokens.js';
import { Throttle } from '../platform/auth/throttle.js';
import type { Config } from '../platform/config/config.js';
import { normalEmail } from '../platform/email-address.js';
import { publicUrlOf } from '../platform/http/origin.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { resetEmail } from '../platform/mail/templates/account-emails.js';
import { CONFIG } from '../platform/tokens.js';
import { type Account, Accounts } from './accounts.js';
import { Credentials } from './credentials.js';

const LINK = { validMs: 60 * 60_000, perHour: 3 };

/** Lets users who proved that they read their e-mail choose a new password. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly links: LinkTokens,
    private readonly emailQueue: EmailQueue,
    private readonly throttle: Throttle,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT' | 'PASSWORD_RESET_DISCREET'>,
  ) {}

  /**
   * Queues an e-mail with a link; beyond three in an hour the last one stays valid. Takes as long without an account as with one.
   * @param email as typed
   * @param address of the client
   * @throws Refused `reset.no-user` unless PASSWORD_RESET_DISCREET; Throttled
   */
  async request(email: string, address: string): Promise<void> {
    const attempt = await this.throttle.attempt([this.throttle.resetMissesOfAddress(address)]);
    const account = await this.accounts.registered(normalEmail(email));
    // The guest has no e-mail address.
    const isSent = account !== null && account.email !== '' && (await this.sendLink(account));
    if (!isSent) await this.links.issueNone('reset');
    if (this.config.PASSWORD_RESET_DISCREET === 'true') return;
    if (account === null || account.email === '') throw new Refused('reset.no-user');
    await attempt.refund();
  }

  /**
   * Sets a new password, which ends all sessions, sockets and device cookies of the account.
   * @throws Refused `reset.spent`, before any check of the password; `password.*`, which does not spend the token; Throttled
   */
  async reset(token: string, newPassword: string, address: string): Promise<void> {
    const attempt = await this.throttle.attempt([this.throttle.resetMissesOfAddress(address)]);
    const found = await this.links.find('reset', token);
    if (found === null || (await this.accounts.isLocked(found.body.uid))) throw new Refused('reset.spent');
    await attempt.refund();
    this.credentials.requireAcceptable(newPassword);
    if (!(await this.links.spend(found))) throw new Refused('reset.spent');
    try {
      await this.credentials.resetPassword(found.body.uid, newPassword);
    } catch (error) {
      await this.links.unspend(found);
      throw error;
    }
  }

  private async sendLink({ uid, email }: Account): Promise<boolean> {
    const issued = await this.links.issue('reset', uid, LINK);
    if (issued === null) return false;
    const { token, expiresAt, emailKey } = issued;
    const link = `${publicUrlOf(this.config)}/passwordReset/${token}`;
    await this.emailQueue.enqueue({ ...resetEmail({ link }), to: email, key: emailKey, expiresAt }, { uid });
    return true;
  }
}
