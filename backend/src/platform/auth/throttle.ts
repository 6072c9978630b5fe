import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { CLOCK, CONFIG, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { networkOf } from './client-network.js';
import { Throttled } from './throttled.js';
import { VaultKeys } from './vault-keys.js';

const COLLECTION = 'throttle';
/** How long failures count from the first one on. */
const WINDOW_MS = 15 * 60_000;
const PAGE = 500;

type Figures = Pick<Config, 'THROTTLE_ADDRESS_PASSWORDS' | 'THROTTLE_ACCOUNT_PASSWORDS' | 'THROTTLE_ADMIN_KEYS' | 'THROTTLE_GUESTS'>;

/** Whose failures are counted together, and how many are allowed in a window. */
export interface FailureCounter {
  readonly id: string;
  readonly limit: number;
}

/** A failure that was counted before it happened; `refund` when it did not. */
export interface Attempt {
  refund(): Promise<void>;
}

interface Failures extends Record<string, unknown> {
  readonly since: Instant;
  readonly count: number;
}

/** Counts failures in the vault, so that all processes know of them. Records name nobody: their subjects are HMACs under a vault key. */
@Injectable()
export class Throttle {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly figures: Figures,
    private readonly keys: VaultKeys,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Wrong passwords of one address. */
  passwordsOfAddress(address: string): FailureCounter {
    return this.counted('address-passwords', networkOf(address), this.figures.THROTTLE_ADDRESS_PASSWORDS);
  }

  /** Wrong passwords of one account, whether it exists or not. @param email in its normal form */
  passwordsOfAccount(email: string): FailureCounter {
    return this.counted('account-passwords', email, this.figures.THROTTLE_ACCOUNT_PASSWORDS);
  }

  /** Wrong admin keys of one address. */
  adminKeysOfAddress(address: string): FailureCounter {
    return this.counted('admin-keys', networkOf(address), this.figures.THROTTLE_ADMIN_KEYS);
  }

  /** Guest sessions that one address began: each is a record for thirty days. */
  guestsOfAddress(address: string): FailureCounter {
    return this.counted('guests', networkOf(address), this.figures.THROTTLE_GUESTS);
  }

  /** @throws Throttled when the failures of one of them are used up */
  async check(all: readonly FailureCounter[]): Promise<void> {
    for (const counted of all) this.refuseFull(counted, (await this.read(counted))?.body ?? null);
  }

  /**
   * Counts a failure before it is known, so that attempts made at the same time cannot slip through together. Nothing stays counted when one refuses.
   * @throws Throttled
   */
  async attempt(all: readonly FailureCounter[]): Promise<Attempt> {
    const taken: Attempt[] = [];
    const refund = async (): Promise<void> => {
      for (const each of taken.splice(0)) await each.refund();
    };
    try {
      for (const counted of all) taken.push(await this.take(counted));
    } catch (error) {
      await refund();
      throw error;
    }
    return { refund };
  }

  /** Counts these from nothing again. */
  async reset(all: readonly FailureCounter[]): Promise<void> {
    for (const { id } of all) await this.vault.remove(COLLECTION, id);
  }

  /** Removes counts whose window is over. */
  async sweep(): Promise<void> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<Failures>(COLLECTION, { afterId, limit: PAGE });
      for (const { id, version, body } of page) if (this.isOver(body)) await this.vault.remove(COLLECTION, id, version);
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  private async take(counted: FailureCounter): Promise<Attempt> {
    for (;;) {
      const found = await this.read(counted);
      const open = found === null || this.isOver(found.body) ? null : found.body;
      this.refuseFull(counted, open);
      const next: Failures = open === null ? { since: this.clock(), count: 1 } : { ...open, count: open.count + 1 };
      if (await this.write(counted, found, next)) return { refund: () => this.refund(counted, next.since) };
    }
  }

  private async refund(counted: FailureCounter, since: Instant): Promise<void> {
    for (;;) {
      const found = await this.read(counted);
      if (found === null || found.body.since !== since || found.body.count === 0) return;
      if (await this.write(counted, found, { since, count: found.body.count - 1 })) return;
    }
  }

  private read({ id }: FailureCounter): Promise<VaultRecord<Failures> | null> {
    return this.vault.get<Failures>(COLLECTION, id);
  }

  private write({ id }: FailureCounter, found: VaultRecord<Failures> | null, next: Failures): Promise<boolean> {
    return found === null ? this.vault.insert(COLLECTION, id, next) : this.vault.replace(COLLECTION, id, found.version, next);
  }

  private refuseFull({ limit }: FailureCounter, failures: Failures | null): void {
    if (failures === null || this.isOver(failures) || failures.count < limit) return;
    throw new Throttled(Math.max(1, Math.ceil((failures.since + WINDOW_MS - this.clock()) / 1_000)));
  }

  private isOver({ since }: Failures): boolean {
    return this.clock() >= since + WINDOW_MS;
  }

  private counted(kind: string, subject: string, limit: number): FailureCounter {
    const name = createHmac('sha256', this.keys.key('throttle')).update(`${kind}\n${subject}`).digest('base64url');
    return { id: `${kind}:${name}`, limit };
  }
}
