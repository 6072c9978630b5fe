import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import { REGISTER_PAGE } from '@roughmix/contracts/users/user.paths.js';
import { Refused } from '../kernel/refusal.js';
import type { Config } from '../platform/config/config.js';
import { publicUrlOf } from '../platform/http/origin.js';
import { CONFIG } from '../platform/tokens.js';
import { StaffStreams } from '../staff/staff.streams.js';
import { AccountDirectory } from './account-directory.js';
import { Registrations } from './registrations.js';
import { Turns } from './turns.js';

const TOKEN_BYTES = 32;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The link with which the operator creates the first account, an admin's. Only this process knows its token: each start without an account creates a new one, and
 * it expires with the first account of any kind.
 */
@Injectable()
export class FirstAccount {
  private readonly turns = new Turns();
  private token: string | null = null;
  /** The account created with the token, until it has the role admin. */
  private made: Uid | null = null;

  constructor(
    private readonly directory: AccountDirectory,
    private readonly registrations: Registrations,
    private readonly staff: StaffStreams,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  ) {}

  /** A new link in place of an earlier one; null once there is an account. */
  async newLink(): Promise<string | null> {
    if (await this.directory.hasAnyone()) return null;
    this.token = randomBytes(TOKEN_BYTES).toString('base64url');
    // Browsers do not send the fragment, so no proxy logs it.
    return `${publicUrlOf(this.config)}${REGISTER_PAGE}#first=${this.token}`;
  }

  /** Creates the account and makes it an admin's. @throws Refused `invite.spent`, and as {@link Registrations.register}: the token then stays valid */
  register(token: string, body: AddUserBody): Promise<Uid> {
    return this.turns.run('first', async () => {
      if (!this.isValid(token)) throw new Refused('invite.spent');
      if (this.made === null && (await this.directory.hasAnyone())) throw new Refused('invite.spent');
      // After a failure between the two steps, a repeat continues with the same account.
      this.made ??= (await this.registrations.register(body)).uid;
      await this.staff.change(this.made, 'admin');
      this.token = null;
      return this.made;
    });
  }

  /** timingSafeEqual needs equal lengths, so digests are compared. */
  private isValid(token: string): boolean {
    return this.token !== null && timingSafeEqual(digest(token), digest(this.token));
  }
}
