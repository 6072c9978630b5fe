import { createHmac } from 'node:crypto';
import type { Document } from '../platform/documents/documents.js';
import { decrypt, encrypt } from '../platform/personal-data/aes-gcm.js';
import { derivedKey } from '../platform/personal-data/derived-key.js';
import type { Account } from './account-records.js';

/** What the vault stores in place of an account's address and names. Missing in the records of earlier versions. */
interface SealedPart {
  readonly sealedIdentity?: string;
}

/** Seals the e-mail address and the slugs of accounts in the vault, and derives the ids under which they are found without being readable. */
export class AccountSeal {
  private readonly sealing: Buffer;
  private readonly lookup: Buffer;

  /** @param installationKey a random key of the installation, from which both are derived */
  constructor(installationKey: Buffer) {
    this.sealing = derivedKey(installationKey, 'roughmix accounts 1');
    this.lookup = derivedKey(installationKey, 'roughmix account ids 1');
  }

  /** The record as the vault stores it, bound to its uid. */
  seal(account: Account): Document {
    const { email, usernameSlug, formerSlugs, claims, ...rest } = account;
    const identity = JSON.stringify({ email, usernameSlug, formerSlugs, claims });
    return { ...rest, sealedIdentity: encrypt(this.sealing, contextOf(account.uid), identity) };
  }

  /** The account that was sealed; earlier versions stored it as it is. @throws Error when it was changed or sealed elsewhere */
  open(uid: string, stored: Document): Account {
    const { sealedIdentity, ...rest } = stored as SealedPart & Document;
    const identity = sealedIdentity === undefined ? {} : (JSON.parse(decrypt(this.sealing, contextOf(uid), sealedIdentity).toString('utf8')) as object);
    return { ...rest, ...identity } as Account;
  }

  /** The id of the record of a value: an HMAC, the same for the same value. */
  idOf(kind: string, value: string): string {
    return createHmac('sha256', this.lookup).update(`${kind}\n${value}`).digest('base64url');
  }
}

const contextOf = (uid: string): string => `account-${uid}`;
