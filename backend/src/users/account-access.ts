import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LinkTokens } from '../platform/auth/link-tokens.js';
import { Sessions } from '../platform/auth/sessions.js';

/** What gives access to an account besides its password: sessions and e-mailed links. */
@Injectable()
export class AccountAccess {
  constructor(
    private readonly sessions: Sessions,
    private readonly links: LinkTokens,
  ) {}

  /**
   * Ends the sessions, with their sockets, except the one to keep, and every e-mailed link. Links that sign in end first, so that none starts a session
   * afterwards. The reset link ends last, so that a reset that failed in between can be sent again.
   */
  async end(uid: Uid, keep: string | null): Promise<void> {
    await this.links.revokeAllBut('reset', uid);
    await this.sessions.endAllOf(uid, keep);
    await this.links.revoke('reset', uid);
  }

  /** Resolves when other processes no longer accept the sessions that this one ended. */
  endedEverywhere(): Promise<void> {
    return this.sessions.endedEverywhere();
  }

  /** Deletes everything about the links. */
  forgetLinks(uid: Uid): Promise<void> {
    return this.links.forget(uid);
  }
}
