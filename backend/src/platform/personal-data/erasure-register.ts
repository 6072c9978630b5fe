import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../vault/vault.js';
import type { Erasure, ErasureList } from './erasure-list.js';
import type { KeyEpoch } from './key-epoch.js';
import type { Logger } from '../logger.js';

/** Who was erased, by uid: what every list of this installation has to name. */
const COLLECTION = 'erased';
const PAGE = 500;

/** What erasures are noted with. `epoch`: tells of those of other processes, null when there are none. */
export interface ErasureRegisterDeps {
  readonly list: ErasureList;
  readonly vault: Vault;
  readonly epoch: KeyEpoch | null;
  readonly log: Logger;
}

/**
 * Who was erased, noted in this process's list and in the vault. A list that lacks somebody whom the vault names is not the one that all processes share, or
 * was lost: that is told as an error, and the list is brought on, at the start and after each erasure elsewhere. So whichever list is kept names everybody.
 */
export class ErasureRegister {
  private work: Promise<void> = Promise.resolve();

  private constructor(private readonly parts: ErasureRegisterDeps) {}

  /** @throws StoreAway, Error when the list cannot be read or written */
  static async open(parts: ErasureRegisterDeps): Promise<ErasureRegister> {
    await parts.vault.declare({ name: COLLECTION });
    const noted = new ErasureRegister(parts);
    await noted.bringOn();
    parts.epoch?.onChange(() => noted.bringOnSoon());
    return noted;
  }

  /** Notes an erasure, on the disk and in the vault when this resolves; once, however often it is asked. */
  async add(erasure: Erasure): Promise<void> {
    const { list, vault } = this.parts;
    if (!(await this.all()).some(({ uid }) => uid === erasure.uid)) await list.add(erasure);
    await vault.insert(COLLECTION, erasure.uid, { at: erasure.at });
  }

  /** Everybody in the list, each once, oldest first. @throws Error for a line that names nobody */
  all(): Promise<readonly Erasure[]> {
    return this.parts.list.all();
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.work;
  }

  private bringOnSoon(): void {
    const { list, log } = this.parts;
    this.work = this.work
      .then(() => this.bringOn())
      .catch((error: unknown) => log.error({ err: error, file: list.file }, 'ERASURES_FILE could not be compared with what the vault says of erasures'));
  }

  private async bringOn(): Promise<void> {
    const { list, vault, log } = this.parts;
    const missing = await missingFromList(list, vault);
    if (missing.length === 0) return;
    for (const erasure of missing) await list.add(erasure);
    log.error(
      { file: list.file, people: missing.length },
      'ERASURES_FILE did not name people whom the vault says were erased; they were added: is it the one file that all processes share, and the one that is kept?',
    );
  }
}

/** Whom the vault says was erased and the list does not name, in the order of their uids. @throws StoreAway */
export async function missingFromList(list: ErasureList, vault: Vault): Promise<readonly Erasure[]> {
  await vault.declare({ name: COLLECTION });
  // The vault first: who is noted meanwhile stands in the list before.
  const erased: Erasure[] = [];
  for (let afterId: Uid = ''; ;) {
    const page = await vault.find<{ readonly at: number }>(COLLECTION, { afterId, limit: PAGE });
    erased.push(...page.map(({ id, body }) => ({ uid: id, at: body.at })));
    const last = page.at(-1);
    if (last === undefined) break;
    afterId = last.id;
  }
  const named = new Set((await list.all()).map(({ uid }) => uid));
  return erased.filter(({ uid }) => !named.has(uid));
}
