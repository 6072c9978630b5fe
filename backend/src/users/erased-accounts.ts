import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Sessions } from '../platform/auth/sessions.js';
import { Throttle } from '../platform/auth/throttle.js';
import { Letters } from '../platform/mail/letters.js';
import { Uploads } from '../platform/uploads/uploads.js';
import { Accounts } from './accounts.js';

/** What stands of a person beside the log: how they sign in, where they are signed in, what they were sending. */
@Injectable()
export class ErasedAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    private readonly uploads: Uploads,
    private readonly letters: Letters,
  ) {}

  /** Whose account an email address is; null for nobody's. */
  async holderOf(email: string): Promise<Uid | null> {
    return (await this.accounts.holderOf(email))?.id ?? null;
  }

  async has(uid: Uid): Promise<boolean> {
    return (await this.accounts.get(uid)) !== null;
  }

  /** Signs somebody out everywhere, for good: nothing of theirs is written after this resolves, on whatever server. */
  async shut(uid: Uid): Promise<void> {
    await this.accounts.shut(uid);
    await this.sessions.endAllOf(uid);
    await this.sessions.endedEverywhere();
  }

  /** Forgets all of it; a session that began while the account was shut goes too. */
  async forget(uid: Uid): Promise<void> {
    await this.uploads.takeBack(uid);
    const account = await this.accounts.get(uid);
    if (account !== null) await this.throttle.forget([this.throttle.passwordsOfAccount(account.body.email)]);
    await this.letters.forget(uid, account?.body.email ?? null);
    await this.accounts.remove(uid);
    await this.sessions.endAllOf(uid);
  }
}
