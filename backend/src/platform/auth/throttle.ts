import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { CLOCK, CONFIG, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { networkOf, siteOf, subnetOf } from './client-network.js';
import { Throttled } from './throttled.js';
import { VaultKeys } from './vault-keys.js';

const COLLECTION = 'throttle';
/** Failures count until this long after the first one, unless their counter says otherwise. */
const WINDOW_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
/** How many times an account's limit per network counts from all networks together, and an address's limit for all networks of its /48. */
const NETWORKS = 10;
const PAGE = 500;

type Limits = Pick<Config, Extract<keyof Config, `THROTTLE_${string}`>>;

/** The id of a counter of failures, and how many it allows per window. */
export interface FailureCounter {
  readonly id: string;
  readonly limit: number;
  /** How long failures count, in milliseconds; 15 minutes if missing. */
  readonly windowMs?: number;
}

/** An account as throttles know it, whether it exists or not. */
export interface ThrottledAccount {
  /** In its normal form. */
  readonly email: string;
  /** How often its password was reset: each reset starts new counters. */
  readonly resets?: number;
}

/** An attempt that counts as a failure unless it is refunded. */
export interface Attempt {
  refund(): Promise<void>;
}

interface Failures extends Record<string, unknown> {
  readonly since: Instant;
  readonly count: number;
  /** Missing in the records of earlier versions. */
  readonly windowMs?: number;
}

const endOf = ({ since, windowMs = WINDOW_MS }: Failures): Instant => since + windowMs;

/** Counts failures in the vault, shared by all processes. Records reveal no address or email: subjects are HMACs under a vault key. */
@Injectable()
export class Throttle {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly limits: Limits,
    private readonly keys: VaultKeys,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  passwordsOfAddress(address: string): readonly FailureCounter[] {
    return this.ofAddress('address-passwords', address, this.limits.THROTTLE_ADDRESS_PASSWORDS);
  }

  /** Wrong passwords for one account: from the address's network, and from all networks together. */
  passwordsOfAccount({ email, resets = 0 }: ThrottledAccount, address: string): readonly FailureCounter[] {
    const limit = this.limits.THROTTLE_ACCOUNT_PASSWORDS;
    return [
      this.counter('network-passwords', `${email}\n${resets}\n${subnetOf(address)}`, limit),
      this.counter('account-passwords', `${email}\n${resets}`, limit * NETWORKS),
    ];
  }

  /** Wrong passwords in one browser where the account has signed in before. @param entry the account's entry in the device cookie */
  passwordsOfDevice(entry: string): FailureCounter {
    return this.counter('device-passwords', entry, this.limits.THROTTLE_ACCOUNT_PASSWORDS);
  }

  /** Wrong current passwords when an account's password is to be changed, in any browser. */
  passwordChangesOf({ email, resets = 0 }: ThrottledAccount): FailureCounter {
    return this.counter('password-changes', `${email}\n${resets}`, this.limits.THROTTLE_ACCOUNT_PASSWORDS);
  }

  /** Unknown e-mail addresses, reset tokens and invite tokens from one address, in an hour. */
  resetMissesOfAddress(address: string): readonly FailureCounter[] {
    return this.ofAddress('reset-misses', address, this.limits.THROTTLE_RESET_MISSES, HOUR_MS);
  }

  adminKeysOfAddress(address: string): readonly FailureCounter[] {
    return this.ofAddress('admin-keys', address, this.limits.THROTTLE_ADMIN_KEYS);
  }

  /** Guest sessions started from one address: each is a record for thirty days. */
  guestsOfAddress(address: string): readonly FailureCounter[] {
    return this.ofAddress('guests', address, this.limits.THROTTLE_GUESTS);
  }

  /** Invite requests that were accepted from one address, in an hour. */
  inviteRequestsOfAddress(address: string): readonly FailureCounter[] {
    return this.ofAddress('invite-requests', address, this.limits.THROTTLE_INVITE_REQUESTS, HOUR_MS);
  }

  /** Contact messages that were accepted from one address, in an hour. */
  contactMessagesOfAddress(address: string): readonly FailureCounter[] {
    return this.ofAddress('contact-messages', address, this.limits.THROTTLE_CONTACT, HOUR_MS);
  }

  /** @throws Throttled when one of the counters has reached its limit */
  async check(counters: readonly FailureCounter[]): Promise<void> {
    for (const counter of counters) this.throwIfReached(counter, (await this.read(counter))?.body ?? null);
  }

  /**
   * Counts a failure before the outcome is known, so that concurrent attempts cannot exceed the limit. If one counter refuses, none of them counts.
   * @throws Throttled
   */
  async attempt(counters: readonly FailureCounter[]): Promise<Attempt> {
    const counted: Attempt[] = [];
    const refund = async (): Promise<void> => {
      for (const each of counted.splice(0)) await each.refund();
    };
    try {
      for (const counter of counters) counted.push(await this.count(counter));
    } catch (error) {
      await refund();
      throw error;
    }
    return { refund };
  }

  async sweep(): Promise<void> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<Failures>(COLLECTION, { afterId, limit: PAGE });
      for (const { id, version, body } of page) if (this.hasExpired(body)) await this.vault.remove(COLLECTION, id, version);
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  private async count(counter: FailureCounter): Promise<Attempt> {
    for (;;) {
      const found = await this.read(counter);
      const current = found === null || this.hasExpired(found.body) ? null : found.body;
      this.throwIfReached(counter, current);
      const { windowMs = WINDOW_MS } = counter;
      const next: Failures = current === null ? { since: this.clock(), count: 1, windowMs } : { ...current, count: current.count + 1 };
      if (await this.write(counter, found, next)) return { refund: () => this.refund(counter, next.since) };
    }
  }

  private async refund(counter: FailureCounter, since: Instant): Promise<void> {
    for (;;) {
      const found = await this.read(counter);
      if (found === null || found.body.since !== since || found.body.count === 0) return;
      if (await this.write(counter, found, { ...found.body, count: found.body.count - 1 })) return;
    }
  }

  private read({ id }: FailureCounter): Promise<VaultRecord<Failures> | null> {
    return this.vault.get<Failures>(COLLECTION, id);
  }

  private write({ id }: FailureCounter, found: VaultRecord<Failures> | null, next: Failures): Promise<boolean> {
    return found === null ? this.vault.insert(COLLECTION, id, next) : this.vault.replace(COLLECTION, id, found.version, next);
  }

  private throwIfReached({ limit }: FailureCounter, failures: Failures | null): void {
    if (failures === null || this.hasExpired(failures) || failures.count < limit) return;
    throw new Throttled(Math.max(1, Math.ceil((endOf(failures) - this.clock()) / 1_000)));
  }

  private hasExpired(failures: Failures): boolean {
    return this.clock() >= endOf(failures);
  }

  /** Counters of an address's network and, for IPv6, of its /48. */
  private ofAddress(kind: string, address: string, limit: number, windowMs = WINDOW_MS): readonly FailureCounter[] {
    const site = siteOf(address);
    const counters = [this.counter(kind, networkOf(address), limit), ...(site === null ? [] : [this.counter(kind, site, limit * NETWORKS)])];
    return counters.map((counter) => ({ ...counter, windowMs }));
  }

  private counter(kind: string, subject: string, limit: number): FailureCounter {
    const name = createHmac('sha256', this.keys.key('throttle')).update(`${kind}\n${subject}`).digest('base64url');
    return { id: `${kind}:${name}`, limit };
  }
}
