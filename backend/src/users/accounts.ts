import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { usernameSlug } from '@roughmix/contracts/users/user.view.js';
import type { Clock } from '../platform/clock.js';
import { idFrom } from '../platform/ids.js';
import { CLOCK, VAULT } from '../platform/tokens.js';
import type { Vault, VaultRecord } from '../platform/vault/vault.js';
import { UserStreams } from './user.streams.js';

export const ACCOUNTS = 'accounts';
export const EMAILS = 'emails';
const USERNAMES = 'usernames';
/** How long an unconfirmed reservation lasts, with slack for a server whose clock is ten minutes behind. */
export const RESERVATION_MS = 20 * 60_000;
const RETIRED = 'retired-usernames';
const PAGE = 500;

/** An account's record in the vault: how a user signs in. */
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

/** The account that an email address or username belongs to. */
export type Reservation = { readonly uid: Uid };

/** Only a hash is kept of the earlier usernames of erased users. */
const retiredId = (slug: string): string => idFrom('retired-username', slug);

/**
 * Email addresses, usernames and passwords. Inserting a record reserves an address or a name; the account's record, which is written first and removed
 * first, decides whether the reservation is valid.
 */
@Injectable()
export class Accounts {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly streams: UserStreams,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: ACCOUNTS, indexes: ['state', 'endingSince'] });
    await this.vault.declare({ name: EMAILS });
    await this.vault.declare({ name: USERNAMES });
    await this.vault.declare({ name: RETIRED });
  }

  get(uid: Uid): Promise<VaultRecord<Account> | null> {
    return this.vault.get<Account>(ACCOUNTS, uid);
  }

  /** The account that may sign in with an address. Confirms it if a crash left it unconfirmed. */
  async registered(email: string): Promise<Account | null> {
    const holder = await this.holderOf(email);
    if (holder === null || holder.body.state === 'erasing') return null;
    if (holder.body.state === 'reserved' && !(await this.streams.isRegistered(holder.id))) return null;
    if (holder.body.state === 'reserved') await this.confirm(holder.id);
    return holder.body;
  }

  /** The account that holds an address, registered or not yet; null if the address is free. */
  async holderOf(email: string): Promise<VaultRecord<Account> | null> {
    return this.holder(EMAILS, email);
  }

  /** Inserts the account's record. False if that uid has one. */
  insert(account: Account): Promise<boolean> {
    return this.vault.insert(ACCOUNTS, account.uid, account);
  }

  /** Changes an account unless it was changed since it was read; false in that case. */
  change(found: VaultRecord<Account>, changes: Partial<Account>): Promise<boolean> {
    return this.vault.replace(ACCOUNTS, found.id, found.version, { ...found.body, ...changes });
  }

  /** False if another account holds the address. */
  reserveEmail(email: string, uid: Uid): Promise<boolean> {
    return this.reserve(EMAILS, email, uid);
  }

  /** Marks the account as confirmed: its registration is in the log. */
  async confirm(uid: Uid): Promise<void> {
    for (let found = await this.get(uid); found !== null && found.body.state === 'reserved'; found = await this.get(uid)) {
      if (await this.change(found, { state: 'confirmed' })) return;
    }
  }

  /** Notes that the user signs in or out now. Lost to a concurrent change of the account, because the time need not be exact. */
  async markSeen(uid: Uid): Promise<void> {
    const found = await this.get(uid);
    if (found !== null && found.body.state !== 'erasing') await this.change(found, { seenAt: this.clock() });
  }

  /** Blocks signing in to this account for good; its address and name stay reserved until {@link remove}. */
  async lock(uid: Uid): Promise<void> {
    for (let found = await this.get(uid); found !== null && found.body.state !== 'erasing'; found = await this.get(uid)) {
      if (await this.change(found, { state: 'erasing', passwordHash: '', zone: null })) return;
    }
  }

  /** Whether an account is being erased, or is gone. */
  async isLocked(uid: Uid): Promise<boolean> {
    const found = await this.get(uid);
    return found === null || found.body.state === 'erasing';
  }

  /** Deletes everything about an account; its own record last, because it names the other records. */
  async remove(uid: Uid): Promise<void> {
    const found = await this.get(uid);
    if (found === null) return;
    const { email, usernameSlug: slug, formerSlugs = [], claims = [] } = found.body;
    await this.freeIfHeldBy(EMAILS, email, uid);
    // Links to earlier names must not lead to someone else.
    for (const former of formerSlugs) await this.vault.put(RETIRED, retiredId(former), {});
    for (const held of [slug, ...formerSlugs, ...claims.map((claim) => claim.slug)]) await this.freeSlug(held, uid);
    await this.vault.remove(ACCOUNTS, uid);
  }

  /** After a restore: accounts that the log does not know become reservations again, so that their address and name can expire. */
  async unconfirmUnregistered(): Promise<number> {
    let unconfirmed = 0;
    for await (const found of this.inState('confirmed')) {
      if (await this.streams.isRegistered(found.id)) continue;
      if (await this.change(found, { state: 'reserved', reservedAt: 0 })) unconfirmed += 1;
    }
    return unconfirmed;
  }

  /** Frees what an unconfirmed account reserved, unless it was changed since it was read. */
  async release({ id, version, body }: VaultRecord<Account>): Promise<boolean> {
    if (!(await this.vault.remove(ACCOUNTS, id, version))) return false;
    await this.freeIfHeldBy(EMAILS, body.email, id);
    await this.freeSlug(body.usernameSlug, id);
    return true;
  }

  /**
   * Reserves a username for an unconfirmed account in place of the one it had. The account names it first, so that a crash leaves no orphaned reservation.
   * False if another account holds the same slug, or the account is being erased or gone.
   */
  async claimUsername(username: string, uid: Uid): Promise<boolean> {
    const slug = usernameSlug(username);
    for (;;) {
      const account = await this.get(uid);
      if (account === null || account.body.state === 'erasing' || !(await this.isSlugFreeFor(slug, uid))) return false;
      if (account.body.usernameSlug === slug) return this.reserveSlug(slug, uid);
      await this.freeSlug(account.body.usernameSlug, uid);
      // Another server may have completed the same registration in the meantime.
      if (await this.change(account, { usernameSlug: slug })) return this.reserveSlug(slug, uid);
    }
  }

  /** Whether nobody else holds a slug, and no erased user had it earlier. Frees it from an account that dropped it, or claimed it for a rename that never happened. */
  async isSlugFreeFor(slug: string, uid: Uid): Promise<boolean> {
    if ((await this.vault.get(RETIRED, retiredId(slug))) !== null) return false;
    const holder = await this.holder(USERNAMES, slug);
    if (holder === null || holder.id === uid) return true;
    const { state, claims = [] } = holder.body;
    if (state !== 'confirmed' || claims.some((each) => each.slug === slug && this.clock() - each.at < RESERVATION_MS)) return false;
    if ((await this.streams.person(holder.id))?.slugs.includes(slug) !== false) return false;
    await this.freeSlug(slug, holder.id);
    return true;
  }

  /** Reserves a slug that the account's record already names. False if another account holds it. */
  reserveSlug(slug: string, uid: Uid): Promise<boolean> {
    return this.reserve(USERNAMES, slug, uid);
  }

  /** Frees a slug unless another account holds it. */
  freeSlug(slug: string, uid: Uid): Promise<void> {
    return this.freeIfHeldBy(USERNAMES, slug, uid);
  }

  /** Resolves leftover reservations: confirms those in the log and frees expired ones. */
  async sweep(): Promise<void> {
    for await (const found of this.inState('reserved')) await this.resolve(found);
  }

  private async *inState(state: Account['state']): AsyncGenerator<VaultRecord<Account>> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<Account>(ACCOUNTS, { field: 'state', value: state, afterId, limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  /** True if the reservation is valid: registered in the log, or younger than twenty minutes. */
  private async resolve(found: VaultRecord<Account>): Promise<boolean> {
    if (found.body.state !== 'reserved') return true;
    if (await this.streams.isRegistered(found.id)) {
      await this.confirm(found.id);
      return true;
    }
    return this.clock() - found.body.reservedAt < RESERVATION_MS || !(await this.release(found));
  }

  private async reserve(collection: string, id: string, uid: Uid): Promise<boolean> {
    for (;;) {
      if (await this.vault.insert(collection, id, { uid } satisfies Reservation)) return true;
      const taken = await this.vault.get<Reservation>(collection, id);
      if (taken?.body.uid === uid) return true;
      if (taken !== null && (await this.holder(collection, id)) !== null) return false;
    }
  }

  /** The account that holds a reservation; frees a reservation without an account, or with an expired one. */
  private async holder(collection: string, id: string): Promise<VaultRecord<Account> | null> {
    const taken = await this.vault.get<Reservation>(collection, id);
    if (taken === null) return null;
    const account = await this.get(taken.body.uid);
    if (account !== null && (await this.resolve(account))) return account;
    await this.vault.remove(collection, id, taken.version);
    return null;
  }

  private async freeIfHeldBy(collection: string, id: string, uid: Uid): Promise<void> {
    const taken = await this.vault.get<Reservation>(collection, id);
    if (taken?.body.uid === uid) await this.vault.remove(collection, id, taken.version);
  }
}
