import { Inject, Injectable } from '@nestjs/common';
import { allSettled } from '../platform/all-settled.js';
import type { Logger } from '../platform/logger.js';
import { LOG, VAULT } from '../platform/tokens.js';
import type { Vault, VaultRecord } from '../platform/vault/vault.js';
import { AccountRecords } from './account-records.js';
import { type Reservation, Reservations, type Reserved } from './reservations.js';

/** Where earlier versions kept reservations, by the address or slug itself. */
const EMAILS = 'emails';
const USERNAMES = 'usernames';
/** Where they kept unkeyed hashes of the slugs of erased users. */
const RETIRED = 'retired-usernames';
/** Exists until the free space of the vault's files has been overwritten, too. */
const SEALING = { name: 'account-sealing', id: 'unfinished' } as const;
const PAGE = 500;

/**
 * Seals what earlier versions stored about accounts in plain text, at the start, before anything reads it. Each record is moved on its own and can be moved again,
 * so the next start completes it after a crash, and several processes may do it at once.
 */
@Injectable()
export class EarlierAccounts {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOG) private readonly log: Pick<Logger, 'info'>,
    private readonly accounts: AccountRecords,
    private readonly reservations: Reservations,
  ) {}

  /** Does nothing if everything is sealed. @throws ServiceUnavailable, DiskFull */
  async seal(): Promise<void> {
    await this.declare();
    if (!(await this.isNeeded())) return;
    await this.vault.insert(SEALING.name, SEALING.id, {});
    const accounts = await this.sealAccounts();
    await this.moveAll(EMAILS, (found) => this.reserve('email', found));
    await this.moveAll(USERNAMES, (found) => this.reserve('slug', found));
    // Names of erased users are free again.
    await this.moveAll(RETIRED, () => Promise.resolve());
    await this.vault.scrub();
    await this.vault.remove(SEALING.name, SEALING.id);
    this.log.info({ accounts }, 'sealed e-mail addresses and usernames that an earlier version had stored in plain text');
  }

  private async declare(): Promise<void> {
    await this.vault.declare({ name: EMAILS });
    await this.vault.declare({ name: USERNAMES });
    await this.vault.declare({ name: RETIRED });
    await this.vault.declare({ name: SEALING.name });
  }

  private async isNeeded(): Promise<boolean> {
    for (const name of [SEALING.name, EMAILS, USERNAMES, RETIRED]) if ((await this.vault.find(name, { limit: 1 })).length > 0) return true;
    return (await this.accounts.unsealed()).length > 0;
  }

  /** @returns how many */
  private async sealAccounts(): Promise<number> {
    let sealed = 0;
    for (let found = await this.accounts.unsealed(); found.length > 0; found = await this.accounts.unsealed()) {
      // One that another process changed meanwhile is found again.
      const isSealed = await allSettled(found.map((account) => () => this.accounts.replace(account, account.body)));
      sealed += isSealed.filter(Boolean).length;
    }
    return sealed;
  }

  private async moveAll(collection: string, move: (found: VaultRecord<Reservation>) => Promise<unknown>): Promise<void> {
    const next = (): Promise<readonly VaultRecord<Reservation>[]> => this.vault.find<Reservation>(collection, { limit: PAGE });
    for (let found = await next(); found.length > 0; found = await next()) {
      await allSettled(found.map((each) => () => move(each)));
      await allSettled(
        found.map(
          ({ id }) =>
            () =>
              this.vault.remove(collection, id),
        ),
      );
    }
  }

  private reserve(kind: Reserved, { id, body }: VaultRecord<Reservation>): Promise<boolean> {
    return this.reservations.insert(kind, id, body.uid);
  }
}
