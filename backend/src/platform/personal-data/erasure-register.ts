import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../vault/vault.js';
import type { Erasure, ErasureList } from './erasure-list.js';
import type { KeyEpoch } from './key-epoch.js';
import type { Logger } from '../logger.js';

const COLLECTION = 'erased';
const PAGE = 500;

/** `epoch` signals erasures by other processes; null if there are none. */
export interface ErasureRegisterDeps {
  readonly list: ErasureList;
  readonly vault: Vault;
  readonly epoch: KeyEpoch | null;
  readonly log: Logger;
}

/**
 * Records erased users in this process's list and in the vault. A list that lacks a user of the vault was lost, or is not the one that all processes share:
 * this is logged as an error and the missing users are added, at start and after each erasure by another process. So every list is complete.
 */
export class ErasureRegister {
  private work: Promise<void> = Promise.resolve();

  private constructor(private readonly deps: ErasureRegisterDeps) {}

  /** @throws ServiceUnavailable, Error when the list cannot be read or written */
  static async open(deps: ErasureRegisterDeps): Promise<ErasureRegister> {
    await deps.vault.declare({ name: COLLECTION });
    const register = new ErasureRegister(deps);
    await register.completeList();
    deps.epoch?.onChange(() => register.scheduleCompletion());
    return register;
  }

  /** Adds a user to the list and the vault, durably. Idempotent. */
  async add(erasure: Erasure): Promise<void> {
    const { list, vault } = this.deps;
    if (!(await this.all()).some(({ uid }) => uid === erasure.uid)) await list.add(erasure);
    await vault.insert(COLLECTION, erasure.uid, { at: erasure.at });
  }

  /** Whether a user is erased, or is being erased: they are added before anything else is done. */
  async has(uid: Uid): Promise<boolean> {
    return (await this.deps.vault.get(COLLECTION, uid)) !== null;
  }

  /** The listed users, each once, oldest first. @throws Error for a line without a uid */
  all(): Promise<readonly Erasure[]> {
    return this.deps.list.all();
  }

  /** Waits for a comparison in progress. */
  async close(): Promise<void> {
    await this.work;
  }

  private scheduleCompletion(): void {
    const { list, log } = this.deps;
    this.work = this.work
      .then(() => this.completeList())
      .catch((error: unknown) => log.error({ err: error, file: list.file }, 'ERASURES_FILE could not be compared with the erasures in the vault'));
  }

  private async completeList(): Promise<void> {
    const { list, vault, log } = this.deps;
    const missing = await missingFromList(list, vault);
    if (missing.length === 0) return;
    for (const erasure of missing) await list.add(erasure);
    log.error(
      { file: list.file, people: missing.length },
      'ERASURES_FILE lacked users whom the vault records as erased, so they were added; make sure that all processes share one file and that it is kept',
    );
  }
}

/** The erased users of the vault that the list lacks, ordered by uid. @throws ServiceUnavailable */
export async function missingFromList(list: ErasureList, vault: Vault): Promise<readonly Erasure[]> {
  await vault.declare({ name: COLLECTION });
  // Reads the vault first, because users are added to the list before the vault.
  const erased: Erasure[] = [];
  for (let afterId: Uid = ''; ;) {
    const page = await vault.find<{ readonly at: number }>(COLLECTION, { afterId, limit: PAGE });
    erased.push(...page.map(({ id, body }) => ({ uid: id, at: body.at })));
    const last = page.at(-1);
    if (last === undefined) break;
    afterId = last.id;
  }
  const listed = new Set((await list.all()).map(({ uid }) => uid));
  return erased.filter(({ uid }) => !listed.has(uid));
}
