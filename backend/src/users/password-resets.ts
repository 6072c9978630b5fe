import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { LinkTokens } from '../platform/auth/link-tokens.js';
import { ResetLinks } from '../platform/auth/reset-links.js';
import { emailFrom } from '../platform/email-address.js';
import { noteConcerned } from '../platform/security/security-scope.js';
import { Accounts } from './accounts.js';
import { Credentials } from './credentials.js';

/** With PASSWORD_RESET_DISCREET no request is answered sooner: delivering the e-mail may slow down the answer. */
const DISCREET_MS = 250;

/** Lets users who proved that they read their e-mail choose a new password. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly links: LinkTokens,
    private readonly resetLinks: ResetLinks,
  ) {}

  /**
   * Queues an e-mail with a link; after three in an hour the last one stays valid. Takes as long without an account as with one.
   * @param typed the e-mail address
   * @param address of the client
   * @returns the uid of the account; null without one
   * @throws Refused `reset.no-user` unless PASSWORD_RESET_DISCREET; Throttled
   */
  async request(typed: string, address: string): Promise<Uid | null> {
    const miss = await this.links.countMiss(address);
    // Nobody has an empty address, not even the guest.
    const receiver = await this.accounts.registered(emailFrom(typed) ?? '');
    if (this.resetLinks.isDiscreet) {
      await Promise.all([this.resetLinks.send(receiver), pause(DISCREET_MS)]);
      return receiver?.uid ?? null;
    }
    await this.resetLinks.send(receiver);
    if (receiver === null) throw new Refused('reset.no-user');
    await miss.refund();
    return receiver.uid;
  }

  /**
   * Sets a new password, which ends the link and all sessions, sockets and device cookies of the account. If that fails, all of them stay.
   * @returns the uid of the account
   * @throws Refused `reset.spent`, before any check of the password; `password.*`, which does not spend the token; Throttled
   */
  async reset(token: string, newPassword: string, address: string): Promise<Uid> {
    const found = await this.links.present('reset', token, address);
    if (found !== null) noteConcerned(found.body.uid);
    if (found === null || (await this.accounts.isLocked(found.body.uid))) throw new Refused('reset.spent');
    this.credentials.requireAcceptable(newPassword);
    await this.credentials.resetPassword(found.body.uid, newPassword, async () => (await this.links.find('reset', token)) !== null);
    return found.body.uid;
  }
}
