import { Injectable } from '@nestjs/common';
import { type Mailing, tokenParts } from '@roughmix/contracts/mailings/mailing.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import { decrypt, encrypt } from '../platform/personal-data/aes-gcm.js';

/** Who gets a kind of e-mail. */
export interface Subscription {
  readonly uid: Uid;
  readonly mailing: Mailing;
}

const contextOf = (mailing: Mailing): string => `unsubscribe-${mailing}`;

/** The tokens of unsubscribe links (ADR 58). They are not stored: a token contains its user, encrypted. */
@Injectable()
export class UnsubscribeTokens {
  private readonly key: Buffer;

  constructor(keys: VaultKeys) {
    this.key = keys.key('unsubscribe');
  }

  /** A token, another one each time. */
  issue({ uid, mailing }: Subscription): string {
    return `${mailing}-${encrypt(this.key, contextOf(mailing), uid)}`;
  }

  /** Whom a token was issued for; null if it was not issued here. */
  read(token: string): Subscription | null {
    const parts = tokenParts(token);
    if (parts === null) return null;
    const { mailing, sealed } = parts;
    try {
      return { uid: decrypt(this.key, contextOf(mailing), sealed).toString('utf8'), mailing };
    } catch {
      // Any error of the cipher means a token that was not issued here.
      return null;
    }
  }
}
