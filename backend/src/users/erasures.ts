import { Inject, Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { normalEmail } from '../platform/email-address.js';
import type { Erasure } from '../platform/personal-data/erasure-list.js';
import { ErasureRegister } from '../platform/personal-data/erasure-register.js';
import { TextErasure } from '../platform/personal-data/text-erasure.js';
import { CLOCK } from '../platform/tokens.js';
import { AccountErasure } from './account-erasure.js';
import { ErasureRuns } from './erasure-runs.js';
import { GUEST_UID } from './registrations.js';
import { UserStreams } from './user.streams.js';

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

/** Erases users: at an operator's request, once more after a restore, and those whose erasure was left unfinished. */
@Injectable()
export class Erasures {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly register: ErasureRegister,
    private readonly accounts: AccountErasure,
    private readonly streams: UserStreams,
    private readonly texts: TextErasure,
    private readonly runs: ErasureRuns,
  ) {}

  /** Erases a user by uid or email address; repeating it completes an earlier erasure. @throws Refused `user.not-found`, `guest.read-only` */
  async erase(uidOrEmail: string): Promise<ErasureResult> {
    const uid = await this.uidOf(uidOrEmail.trim());
    if (uid === GUEST_UID) throw new Refused('guest.read-only');
    return this.complete(uid);
  }

  /** As {@link erase}, also for an address without an account. @throws Refused `user.not-removed` when there is nothing to remove, or for the guest */
  async remove(uidOrEmail: string): Promise<RemovalResult> {
    const name = uidOrEmail.trim();
    const email = name.includes('@') ? normalEmail(name) : null;
    const uid = email === null ? name : await this.accounts.holderOf(email);
    if (uid !== null && uid !== GUEST_UID && (await this.isThere(uid))) return this.complete(uid);
    if (email === null) throw new Refused('user.not-removed');
    const inquiries = await this.accounts.eraseAddress(email, this.clock());
    // An invite request that was being accepted may have become an account; one accepted from now on finds its request deleted.
    const invited = await this.accounts.holderOf(email);
    if (invited !== null && invited !== GUEST_UID) {
      const erased = await this.complete(invited);
      return { ...erased, inquiries: inquiries + erased.inquiries };
    }
    if (inquiries === 0) throw new Refused('user.not-removed');
    await this.texts.scrub();
    return { uid: null, removedProjects: [], keptProjects: [], inquiries };
  }

  /** Erases a user who was registered while, or after, their account was erased. @throws Refused `store.busy` if that happened */
  async finishOvertaken(uid: Uid): Promise<void> {
    if (!(await this.accounts.isLocked(uid))) return;
    await this.complete(uid);
    throw new Refused('store.busy');
  }

  /**
   * Erases everyone and every inquiry on the list again, as after a restore from a backup that still contains them.
   * @returns how many, and how many of them are left in projects that cannot be read
   */
  async applyList(): Promise<{ readonly erased: number; readonly unfinished: number }> {
    const erasures = await this.register.all();
    const users: Erasure[] = [];
    for (const each of erasures) if (!(await this.accounts.eraseListedInquiry(each.uid))) users.push(each);
    const attempts = await this.runs.run(users);
    for (const { error } of attempts) if (error !== null) throw error;
    if (users.length === 0 && erasures.length > 0) await this.texts.scrub();
    return { erased: erasures.length, unfinished: attempts.filter(({ projects }) => projects.failed.length > 0).length };
  }

  /** Completes erasures that a crash interrupted, or that an unreadable event stopped. @throws Error while some cannot be completed */
  async completeUnfinished(): Promise<void> {
    const attempts = await this.runs.runUnfinished();
    const left = attempts.filter(({ error, projects }) => error !== null || projects.failed.length > 0);
    if (left.length > 0) throw new Error(`${left.length} of ${attempts.length} unfinished erasures cannot be completed`);
  }

  /** @throws what keeps the erasure from being complete; the chore tries again */
  private async complete(uid: Uid): Promise<ErasureResult> {
    const [attempt] = await this.runs.run([{ uid, at: this.clock() }]);
    if (attempt === undefined) throw new Error('an erasure was not attempted');
    const { inquiries, projects } = attempt;
    const failure = attempt.error ?? projects.failed[0]?.error;
    if (failure !== undefined) throw failure;
    return { uid, removedProjects: projects.removed, keptProjects: projects.kept, inquiries };
  }

  private async isThere(uid: Uid): Promise<boolean> {
    return (await this.accounts.has(uid)) || (await this.streams.isRegistered(uid)) || (await this.runs.isUnfinished(uid));
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
