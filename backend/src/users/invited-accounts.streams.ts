import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { InviteLinks } from '../platform/auth/invite-links.js';
import { Erasures } from './erasures.js';
import { Registrations } from './registrations.js';
import { SelfQueries } from './self.queries.js';

/** Accounts of people who asked for an invite. Each step may be repeated. */
@Injectable()
export class InvitedAccounts {
  constructor(
    private readonly registrations: Registrations,
    private readonly selves: SelfQueries,
    private readonly links: InviteLinks,
    private readonly erasures: Erasures,
  ) {}

  /** Creates an account without a password; does nothing if it exists. @param email in its normal form @throws Refused `user.email-taken`, `store.busy` */
  async create(uid: Uid, email: string): Promise<void> {
    await this.registrations.registerInvited(uid, email);
    await this.erasures.finishOvertaken(uid);
  }

  /** Erases an account whose request was deleted while it was being created. */
  async discard(uid: Uid): Promise<void> {
    await this.erasures.erase(uid);
  }

  /** E-mails a new link to the welcome page, which replaces the earlier one. @throws Refused `profile.completed` */
  async invite(uid: Uid): Promise<SelfView> {
    const user = await this.selves.view(uid);
    if (user.profileCompletion > 0) throw new Refused('profile.completed');
    await this.links.send(uid, user.email);
    return user;
  }
}
