import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { usernameSlug } from '@roughmix/contracts/users/user.view.js';
import type { Clock } from '../platform/clock.js';
import { CLOCK } from '../platform/tokens.js';
import type { VaultRecord } from '../platform/vault/vault.js';
import { type Account, AccountRecords } from './account-records.js';
import { Reservations, type Reserved } from './reservations.js';
import { UserStreams } from './user.streams.js';

/** How long an unconfirmed reservation lasts, with slack for a server whose clock is ten minutes behind. */
export const RESERVATION_MS = 20 * 60_000;

/**
 * Email addresses, usernames and passwords. Inserting a record reserves an address or a name; the account's record, which is written first and removed
 * first, decides whether the reservation is valid.
 */
@Injectable()
export class Accounts {
  constructor(
    private readonly records: AccountRecords,
    private readonly reservations: Reservations,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly streams: UserStreams,
  ) {}

  get(uid: Uid): Promise<VaultRecord<Account> | null> {
    return this.records.get(uid);
  }

  /** Accounts whose password changed until then, and whose earlier sessions have yet to end. */
  endingUntil(latest: Instant): Promise<readonly Account[]> {
    return this.records.endingUntil(latest);
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
    return this.holder('email', email);
  }

  /** Inserts the account's record. False if that uid has one. */
  insert(account: Account): Promise<boolean> {
    return this.records.insert(account);
  }

  /** Changes an account unless it was changed since it was read; false in that case. */
  change(found: VaultRecord<Account>, changes: Partial<Account>): Promise<boolean> {
    return this.records.replace(found, { ...found.body, ...changes });
  }

  /** False if another account holds the address. */
  reserveEmail(email: string, uid: Uid): Promise<boolean> {
    return this.reserve('email', email, uid);
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
    await this.reservations.freeIfHeldBy('email', email, uid);
    for (const held of [slug, ...formerSlugs, ...claims.map((claim) => claim.slug)]) await this.freeSlug(held, uid);
    await this.records.remove(uid);
  }

  /** After a restore: accounts that the log does not know become reservations again, so that their address and name can expire. */
  async unconfirmUnregistered(): Promise<number> {
    let unconfirmed = 0;
    for await (const found of this.records.all('confirmed')) {
      if (await this.streams.isRegistered(found.id)) continue;
      if (await this.change(found, { state: 'reserved', reservedAt: 0 })) unconfirmed += 1;
    }
    return unconfirmed;
  }

  /** Frees what an unconfirmed account reserved, unless it was changed since it was read. */
  async release({ id, version, body }: VaultRecord<Account>): Promise<boolean> {
    if (!(await this.records.remove(id, version))) return false;
    await this.reservations.freeIfHeldBy('email', body.email, id);
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

  /** Whether nobody else holds a slug. Frees it from an account that dropped it, or claimed it for a rename that never happened. */
  async isSlugFreeFor(slug: string, uid: Uid): Promise<boolean> {
    const holder = await this.holder('slug', slug);
    if (holder === null || holder.id === uid) return true;
    const { state, claims = [] } = holder.body;
    if (state !== 'confirmed' || claims.some((each) => each.slug === slug && this.clock() - each.at < RESERVATION_MS)) return false;
    if ((await this.streams.person(holder.id))?.slugs.includes(slug) !== false) return false;
    await this.freeSlug(slug, holder.id);
    return true;
  }

  /** Reserves a slug that the account's record already names. False if another account holds it. */
  reserveSlug(slug: string, uid: Uid): Promise<boolean> {
    return this.reserve('slug', slug, uid);
  }

  /** Frees a slug unless another account holds it. */
  freeSlug(slug: string, uid: Uid): Promise<void> {
    return this.reservations.freeIfHeldBy('slug', slug, uid);
  }

  /** Resolves leftover reservations: confirms those in the log and frees expired ones. */
  async sweep(): Promise<void> {
    for await (const found of this.records.all('reserved')) await this.resolve(found);
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

  private async reserve(kind: Reserved, value: string, uid: Uid): Promise<boolean> {
    for (;;) {
      if (await this.reservations.insert(kind, value, uid)) return true;
      const taken = await this.reservations.get(kind, value);
      if (taken?.body.uid === uid) return true;
      if (taken !== null && (await this.holder(kind, value)) !== null) return false;
    }
  }

  /** The account that holds a reservation; frees a reservation without an account, or with an expired one. */
  private async holder(kind: Reserved, value: string): Promise<VaultRecord<Account> | null> {
    const taken = await this.reservations.get(kind, value);
    if (taken === null) return null;
    const account = await this.get(taken.body.uid);
    if (account !== null && (await this.resolve(account))) return account;
    await this.reservations.free(kind, taken);
    return null;
  }
}
