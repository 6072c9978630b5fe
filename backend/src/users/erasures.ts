import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { normalEmail } from '../platform/email-address.js';
import { TextErasure } from '../platform/personal-data/text-erasure.js';
import { ErasureRegister } from '../platform/personal-data/erasure-register.js';
import { retryWhileReadModelsLag } from '../platform/projections/retry-while-lagging.js';
import { CLOCK, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';
import { ProjectErasure } from '../projects/project-erasure.streams.js';
import { AccountErasure } from './account-erasure.js';
import { GUEST_UID } from './registrations.js';
import { UserStreams } from './user.streams.js';

/** Unfinished erasures, by uid: the next start completes what a crash interrupted. */
const COLLECTION = 'erasures';
const PAGE = 500;

/** The result of an erasure. */
export interface ErasureResult {
  readonly uid: Uid;
  readonly removedProjects: readonly Id[];
  readonly keptProjects: readonly Id[];
  /** How many invite requests and contact messages of the user's address were deleted. */
  readonly inquiries: number;
}

/** The result of a removal; `uid` is null if the address belongs to no account. */
export interface RemovalResult extends Omit<ErasureResult, 'uid'> {
  readonly uid: Uid | null;
}

/**
 * Erases users. The steps are ordered so that repeating them after a crash completes the erasure: the uid is noted first, so that a restore erases it again;
 * the account is locked before anything is deleted; the record by which it is found is deleted last.
 */
@Injectable()
export class Erasures {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly register: ErasureRegister,
    private readonly accounts: AccountErasure,
    private readonly streams: UserStreams,
    private readonly projects: ProjectErasure,
    private readonly texts: TextErasure,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Erases a user by uid or email address; repeating it completes an earlier erasure. @throws Refused `user.not-found`, `guest.read-only` */
  async erase(uidOrEmail: string): Promise<ErasureResult> {
    const uid = await this.uidOf(uidOrEmail.trim());
    if (uid === GUEST_UID) throw new Refused('guest.read-only');
    return this.complete(uid, this.clock());
  }

  /** As {@link erase}, also for an address without an account. @throws Refused `user.not-removed` when there is nothing to remove, or for the guest */
  async remove(uidOrEmail: string): Promise<RemovalResult> {
    const name = uidOrEmail.trim();
    const email = name.includes('@') ? normalEmail(name) : null;
    const uid = email === null ? name : await this.accounts.holderOf(email);
    if (uid !== null && uid !== GUEST_UID && (await this.isThere(uid))) return this.complete(uid, this.clock());
    if (email === null) throw new Refused('user.not-removed');
    const inquiries = await this.accounts.eraseAddress(email, this.clock());
    // An invite request that was being accepted may have become an account; one accepted from now on finds its request deleted.
    const invited = await this.accounts.holderOf(email);
    if (invited !== null && invited !== GUEST_UID) {
      const erased = await this.complete(invited, this.clock());
      return { ...erased, inquiries: inquiries + erased.inquiries };
    }
    if (inquiries === 0) throw new Refused('user.not-removed');
    await this.texts.scrub();
    return { uid: null, removedProjects: [], keptProjects: [], inquiries };
  }

  /** Erases a user who was registered while, or after, their account was erased. @throws Refused `store.busy` if that happened */
  async finishOvertaken(uid: Uid): Promise<void> {
    if (!(await this.accounts.isLocked(uid))) return;
    await this.complete(uid, this.clock());
    throw new Refused('store.busy');
  }

  /** Erases everyone and every inquiry on the list again, as after a restore from a backup that still contains them. @returns how many */
  async applyList(): Promise<number> {
    const erasures = await this.register.all();
    for (const { uid, at } of erasures) if (!(await this.accounts.eraseListedInquiry(uid))) await this.complete(uid, at);
    return erasures.length;
  }

  /** Completes erasures that the last shutdown interrupted. */
  async completeInterrupted(): Promise<void> {
    const interrupted = await this.vault.find<{ at: Instant }>(COLLECTION, { limit: PAGE });
    for (const { id, body } of interrupted) await this.complete(id, body.at);
  }

  /** Retries while read models lag, so that neither a start nor an operator's command leaves an erasure half done. */
  private complete(uid: Uid, at: Instant): Promise<ErasureResult> {
    return retryWhileReadModelsLag(() => this.begin(uid, at));
  }

  private async begin(uid: Uid, at: Instant): Promise<ErasureResult> {
    await this.register.add({ uid, at });
    await this.vault.put(COLLECTION, uid, { at });
    await this.accounts.lock(uid);
    await this.streams.erase(uid, at);
    const address = await this.accounts.addressOf(uid);
    const inquiries = address === null ? 0 : await this.accounts.eraseAddress(address, at);
    const { removed, kept } = await this.projects.eraseUser(uid, at);
    await this.texts.destroyKey(userStream(uid));
    await this.accounts.forget(uid);
    await this.texts.scrub();
    await this.vault.remove(COLLECTION, uid);
    return { uid, removedProjects: removed, keptProjects: kept, inquiries };
  }

  private async isThere(uid: Uid): Promise<boolean> {
    return (await this.accounts.has(uid)) || (await this.streams.isRegistered(uid));
  }

  private async uidOf(uidOrEmail: string): Promise<Uid> {
    if (uidOrEmail.includes('@')) {
      const holder = await this.accounts.holderOf(normalEmail(uidOrEmail));
      if (holder === null) throw new Refused('user.not-found');
      return holder;
    }
    const isKnown = (await this.isThere(uidOrEmail)) || (await this.streams.isErased(uidOrEmail));
    if (!isKnown) throw new Refused('user.not-found');
    return uidOrEmail;
  }
}
