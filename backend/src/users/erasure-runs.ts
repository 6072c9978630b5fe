import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import type { Logger } from '../platform/logger.js';
import type { Erasure } from '../platform/personal-data/erasure-list.js';
import { ErasureRegister } from '../platform/personal-data/erasure-register.js';
import { TextErasure } from '../platform/personal-data/text-erasure.js';
import { retryWhileReadModelsLag } from '../platform/projections/retry-while-lagging.js';
import { isTransient } from '../platform/reactors/is-transient.js';
import { LOG, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';
import { ProjectErasure, type ProjectErasureResult } from '../projects/project-erasure.streams.js';
import { AccountErasure } from './account-erasure.js';
import { Turns } from './turns.js';
import { UserStreams } from './user.streams.js';

/** Unfinished erasures, by uid. */
const COLLECTION = 'erasures';
const PAGE = 500;

/** What is stored of an erasure until it is complete. `projects`: the only ones left, once everything else is done. */
type Unfinished = { readonly at: Instant; readonly projects?: readonly Id[] };

/** One attempt to complete an erasure. */
export interface ErasureAttempt {
  readonly erasure: Erasure & Unfinished;
  /** How many invite requests and contact messages of the user's address were deleted. */
  inquiries: number;
  projects: ProjectErasureResult;
  /** What stopped it; null unless something did. A project that fails stops nothing else, and is among `projects.failed`. */
  error: Error | null;
}

const newAttempt = (erasure: Erasure & Unfinished): ErasureAttempt => ({
  erasure,
  inquiries: 0,
  projects: { removed: [], kept: [], failed: [] },
  error: null,
});

/** Whether an attempt does all of it, not only the projects that an earlier one left. */
const isWhole = ({ erasure }: ErasureAttempt): boolean => erasure.projects === undefined;

/**
 * Runs erasures, many at once or one after the other. The steps are ordered so that repeating them after a crash completes the erasure: the uid is noted
 * first, so that a restore erases it again; the account is locked before anything is deleted; the record by which it is found is deleted last.
 */
@Injectable()
export class ErasureRuns {
  private readonly turns = new Turns();

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOG) private readonly log: Logger,
    private readonly register: ErasureRegister,
    private readonly accounts: AccountErasure,
    private readonly streams: UserStreams,
    private readonly projects: ProjectErasure,
    private readonly texts: TextErasure,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Whether an erasure was begun and is not complete. */
  async isUnfinished(uid: Uid): Promise<boolean> {
    return (await this.vault.get(COLLECTION, uid)) !== null;
  }

  /**
   * Erases these users after earlier calls are done, reading the log once and scrubbing the stores once for all of them. What cannot be done for one of them
   * is logged and left for {@link runUnfinished}; it keeps neither the others nor the rest of that user's projects.
   * @throws errors that pass by themselves, such as of a store that is away: the next attempt completes it
   */
  run(erasures: readonly Erasure[]): Promise<readonly ErasureAttempt[]> {
    return this.inTurn(async () => erasures);
  }

  /** As {@link run}, for every erasure that a crash or a failure has left unfinished. */
  runUnfinished(): Promise<readonly ErasureAttempt[]> {
    // Read in turn, when no erasure of this process is under way.
    return this.inTurn(() => this.unfinished());
  }

  private inTurn(find: () => Promise<readonly (Erasure & Unfinished)[]>): Promise<readonly ErasureAttempt[]> {
    return this.turns.run(COLLECTION, async () => {
      const attempts = (await find()).map(newAttempt);
      for (const attempt of attempts.filter(isWhole)) await this.step(attempt, () => this.begin(attempt));
      const going = attempts.filter(({ error }) => error === null);
      const named = await this.projects.projectsThatName(going.filter(isWhole).map(({ erasure }) => erasure.uid));
      for (const attempt of going) await this.step(attempt, () => this.finish(attempt, named));
      const finished = going.filter(({ error }) => error === null);
      if (finished.some((each) => isWhole(each) || each.projects.failed.length < (each.erasure.projects ?? []).length)) await this.texts.scrub();
      for (const attempt of finished) await this.record(attempt);
      return attempts;
    });
  }

  /** Retries while read models lag, so that neither a start nor an operator's command leaves an erasure half done. */
  private async step(attempt: ErasureAttempt, work: () => Promise<void>): Promise<void> {
    try {
      await retryWhileReadModelsLag(work);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.log.error({ err: error, uid: attempt.erasure.uid }, 'erasure not complete, it will be tried again');
      attempt.error = error instanceof Error ? error : new Error('erasure failed', { cause: error });
    }
  }

  private async begin(attempt: ErasureAttempt): Promise<void> {
    const { uid, at } = attempt.erasure;
    await this.register.add({ uid, at });
    await this.vault.put(COLLECTION, uid, { at } satisfies Unfinished);
    await this.accounts.lock(uid);
    await this.streams.erase(uid, at);
    const address = await this.accounts.addressOf(uid);
    if (address !== null) attempt.inquiries = await this.accounts.eraseAddress(address, at);
  }

  private async finish(attempt: ErasureAttempt, named: ReadonlyMap<Uid, ReadonlySet<Id>>): Promise<void> {
    const { uid, at, projects } = attempt.erasure;
    attempt.projects = await this.projects.eraseUser(uid, at, projects ?? named.get(uid) ?? []);
    if (!isWhole(attempt)) return;
    await this.texts.destroyKey(userStream(uid));
    await this.accounts.forget(uid);
  }

  /** Removes the record, or leaves in it which projects are left. */
  private async record({ erasure: { uid, at }, projects: { failed } }: ErasureAttempt): Promise<void> {
    if (failed.length === 0) await this.vault.remove(COLLECTION, uid);
    else await this.vault.put(COLLECTION, uid, { at, projects: failed.map(({ projectId }) => projectId) } satisfies Unfinished);
  }

  private async unfinished(): Promise<readonly (Erasure & Unfinished)[]> {
    const found: (Erasure & Unfinished)[] = [];
    for (let afterId: Uid = ''; ;) {
      const page = await this.vault.find<Unfinished>(COLLECTION, { afterId, limit: PAGE });
      found.push(...page.map(({ id, body }) => ({ uid: id, ...body })));
      const last = page.at(-1);
      if (last === undefined) return found;
      afterId = last.id;
    }
  }
}
