import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { VAULT } from '../platform/tokens.js';
import type { Vault, VaultRecord } from '../platform/vault/vault.js';
import { AccountSeal } from './account-seal.js';

const ACCOUNTS = 'accounts';
const PAGE = 500;

/** An account's record in the vault: how a user signs in. Address and slugs are sealed there ({@link AccountSeal}). */
export type Account = {
  readonly uid: Uid;
  /** Lower-cased; empty for the guest, who cannot sign in with it. */
  readonly email: string;
  /** Empty for an account without a password: the guest, and invited users who have not chosen one. */
  readonly passwordHash: string;
  /** How often the password was reset by an e-mailed link; missing means never. Earlier device cookies and throttle counters are invalid. */
  readonly resets?: number;
  readonly usernameSlug: string;
  /** The slugs of earlier usernames that they chose, which stay reserved. Missing before the first rename. */
  readonly formerSlugs?: readonly string[];
  /** Slugs reserved for a rename that the log may not have (yet). */
  readonly claims?: readonly SlugClaim[];
  /** When a new password was stored whose sessions and links of earlier ones have yet to end; 0 or missing once they have. */
  readonly endingSince?: Instant;
  /** The session that such a change keeps; null or missing for none. */
  readonly keptSession?: string | null;
  /** The welcome form may have replaced the temporary password already. */
  readonly isWelcoming?: boolean;
  /** reserved: perhaps not registered in the log (yet). erasing: locked, and about to be deleted. */
  readonly state: 'reserved' | 'confirmed' | 'erasing';
  readonly reservedAt: Instant;
  /** The IANA time zone that the browser reported last; null before the first sign-in. */
  readonly zone: string | null;
  /** When they last signed in or out; missing before the first time. */
  readonly seenAt?: Instant;
};

/** A slug that an account may be about to take. */
export type SlugClaim = { readonly slug: string; readonly at: Instant };

/** Accounts in the vault: sealed when written, opened when read. */
@Injectable()
export class AccountRecords {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    private readonly seal: AccountSeal,
  ) {}

  async declare(): Promise<void> {
    // Only records of earlier versions have an unsealed `email`, and so an entry in its index.
    await this.vault.declare({ name: ACCOUNTS, indexes: ['state', 'endingSince', 'email'] });
  }

  async get(uid: Uid): Promise<VaultRecord<Account> | null> {
    const stored = await this.vault.get(ACCOUNTS, uid);
    return stored === null ? null : this.opened(stored);
  }

  /** False if that uid has a record. */
  insert(account: Account): Promise<boolean> {
    return this.vault.insert(ACCOUNTS, account.uid, this.seal.seal(account));
  }

  /** False if the record was changed since it was read. */
  replace({ id, version }: VaultRecord<Account>, account: Account): Promise<boolean> {
    return this.vault.replace(ACCOUNTS, id, version, this.seal.seal(account));
  }

  /** False if there was no record or, with a version, another version. */
  remove(uid: Uid, version?: number): Promise<boolean> {
    return this.vault.remove(ACCOUNTS, uid, version);
  }

  /** Every account, or those in a state, by uid. */
  async *all(state?: Account['state']): AsyncGenerator<VaultRecord<Account>> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find(ACCOUNTS, { ...(state !== undefined && { field: 'state', value: state }), afterId, limit: PAGE });
      yield* page.map((stored) => this.opened(stored));
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  /** Accounts whose password changed until then, and whose earlier sessions have yet to end. */
  async endingUntil(latest: Instant): Promise<readonly Account[]> {
    const found = await this.vault.range(ACCOUNTS, { field: 'endingSince', from: 1, to: latest });
    return found.map((stored) => this.opened(stored).body);
  }

  /** Some of the accounts that an earlier version stored unsealed; none once all are sealed. */
  async unsealed(): Promise<readonly VaultRecord<Account>[]> {
    const found = await this.vault.range(ACCOUNTS, { field: 'email', from: '', to: '\u{10ffff}', limit: PAGE });
    return found.map((stored) => this.opened(stored));
  }

  private opened({ id, version, body }: VaultRecord): VaultRecord<Account> {
    return { id, version, body: this.seal.open(id, body) };
  }
}
