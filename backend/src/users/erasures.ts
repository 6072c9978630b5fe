import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { ErasedTexts } from '../platform/personal-data/erased-texts.js';
import { NotedErasures } from '../platform/personal-data/noted-erasures.js';
import { retryWhileReadModelsLag } from '../platform/projections/retry-while-lagging.js';
import { CLOCK, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';
import { ErasedFromProjects } from '../projects/projects-of-erased.streams.js';
import { normalEmail } from './accounts.js';
import { ErasedAccounts } from './erased-accounts.js';
import { GUEST_UID } from './registrations.js';
import { UserStreams } from './user.streams.js';

/** Erasures under way, by uid: what a crash cut off is completed at the next start. */
const COLLECTION = 'erasures';
const PAGE = 500;

/** What an erasure did. */
export interface Erased {
  readonly uid: Uid;
  readonly removedProjects: readonly Id[];
  readonly keptProjects: readonly Id[];
}

/**
 * Erases people. The steps stand in such an order that a crash between any two is completed by running them again: noted first, so that a restore
 * knows; shut out before anything is taken apart; the record by which they are found goes last.
 */
@Injectable()
export class Erasures {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly noted: NotedErasures,
    private readonly accounts: ErasedAccounts,
    private readonly streams: UserStreams,
    private readonly projects: ErasedFromProjects,
    private readonly texts: ErasedTexts,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Erases somebody, by uid or email address; again for somebody erased before, whose erasure is completed. @throws Refused `user.not-found`, `guest.read-only` */
  async erase(uidOrEmail: string): Promise<Erased> {
    const uid = await this.uidOf(uidOrEmail.trim());
    if (uid === GUEST_UID) throw new Refused('guest.read-only');
    return this.complete(uid, this.clock());
  }

  /** Applies the whole list, as after a restore: what a backup still held of them goes. @returns how many were erased */
  async applyList(): Promise<number> {
    const erasures = await this.noted.all();
    for (const { uid, at } of erasures) await this.complete(uid, at);
    return erasures.length;
  }

  /** Completes what was under way when the program ended. */
  async completeBegun(): Promise<void> {
    const begun = await this.vault.find<{ at: Instant }>(COLLECTION, { limit: PAGE });
    for (const { id, body } of begun) await this.complete(id, body.at);
  }

  /** Read models that lag leave nobody half erased: not at a start, nor by a command that an operator gives once. */
  private complete(uid: Uid, at: Instant): Promise<Erased> {
    return retryWhileReadModelsLag(() => this.begin(uid, at));
  }

  private async begin(uid: Uid, at: Instant): Promise<Erased> {
    await this.noted.note({ uid, at });
    await this.vault.put(COLLECTION, uid, { at });
    await this.accounts.shut(uid);
    await this.streams.erase(uid, at);
    const { removed, kept } = await this.projects.takeOut(uid, at);
    await this.texts.destroyKey(userStream(uid));
    await this.accounts.forget(uid);
    await this.texts.scrub();
    await this.vault.remove(COLLECTION, uid);
    return { uid, removedProjects: removed, keptProjects: kept };
  }

  private async uidOf(uidOrEmail: string): Promise<Uid> {
    if (uidOrEmail.includes('@')) {
      const holder = await this.accounts.holderOf(normalEmail(uidOrEmail));
      if (holder === null) throw new Refused('user.not-found');
      return holder;
    }
    const isSomebody = (await this.accounts.has(uidOrEmail)) || (await this.streams.isRegistered(uidOrEmail)) || (await this.streams.isErased(uidOrEmail));
    if (!isSomebody) throw new Refused('user.not-found');
    return uidOrEmail;
  }
}
