import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import type { Lease, Term } from './lease.js';
import { VaultTerm } from './vault-term.js';
import type { Logger } from '../logger.js';

const COLLECTION = 'leases';

/** What stands in the vault of a lease. */
export interface LeaseRecord extends Readonly<Record<string, unknown>> {
  readonly fence: number;
  /** Which taking of it this is; another for each. */
  readonly taking: string;
  /** Which process took it, and how people know it. */
  readonly process: string;
  readonly holder: string;
  readonly since: Instant;
  /** Counts the renewals. */
  readonly beat: number;
  /** The holder has ended it: the next need not wait. */
  readonly released: boolean;
}

/** How a lease is timed, in milliseconds; each process by a clock of its own that only goes forwards. */
export interface LeaseTimes {
  /** A holder renews after. */
  readonly renew: number;
  /** A holder stops by itself when its last renewal was sent longer ago. */
  readonly stop: number;
  /** A rival takes over what it has seen unchanged for as long. What lies between `stop` and this is for the last call of the one that stops. */
  readonly takeOver: number;
  /** A rival looks after. */
  readonly look: number;
}

export const LEASE_TIMES: LeaseTimes = { renew: 1_000, stop: 4_500, takeOver: 6_000, look: 250 };

/** What leases are kept in and timed by. */
export interface LeaseParts {
  readonly vault: Vault;
  readonly log: Logger;
  /** For people: it decides nothing. */
  readonly clock: Clock;
  readonly times?: LeaseTimes;
  /** Milliseconds that only go forwards, also while the process is frozen. */
  readonly now?: () => number;
}

/**
 * A lease among processes that share a vault. No clocks are compared: the holder replaces its record again and again, and who sees the same version of it
 * for long enough by its own clock takes over, by replacing that very version. Fences never go back.
 */
export class VaultLease implements Lease {
  readonly isPermanent = false;
  private readonly process = randomUUID();
  private readonly holder = `${hostname()}:${process.pid}`;
  private readonly times: LeaseTimes;
  private readonly now: () => number;
  private term: VaultTerm | null = null;
  private isAway = false;

  private constructor(
    readonly name: string,
    private readonly parts: LeaseParts,
  ) {
    this.times = parts.times ?? LEASE_TIMES;
    this.now = parts.now ?? (() => performance.now());
  }

  /** @throws StoreAway */
  static async open(name: string, parts: LeaseParts): Promise<VaultLease> {
    await parts.vault.declare({ name: COLLECTION });
    return new VaultLease(name, parts);
  }

  async acquire(signal: AbortSignal): Promise<Term | null> {
    let seen: { readonly version: number; readonly since: number } | null = null;
    while (!signal.aborted) {
      try {
        const record = await this.read();
        if (seen === null || seen.version !== record?.version) seen = record === null ? null : { version: record.version, since: this.now() };
        const isFree = record === null || record.body.released || record.body.process === this.process;
        const isSilent = seen !== null && this.now() - seen.since >= this.times.takeOver;
        const term = isFree || isSilent ? await this.take(record) : null;
        this.isAway = false;
        if (term !== null) return term;
      } catch (error) {
        // The version is looked at anew: a rival that could not look has seen nothing.
        seen = null;
        if (!this.isAway) this.parts.log.error({ err: error, lease: this.name }, 'a lease cannot be looked at, trying again');
        this.isAway = true;
      }
      // An abort ends the pause with an error, and the loop.
      await pause(this.times.look, undefined, { signal }).catch(() => undefined);
    }
    return null;
  }

  async release(): Promise<void> {
    const { term } = this;
    this.term = null;
    await term?.release();
  }

  async state(): Promise<LeaseState | null> {
    const record = await this.read();
    if (record === null || record.body.released) return null;
    const { holder, since, fence } = record.body;
    return { holder, since, fence };
  }

  /** Null when somebody else was quicker. */
  private async take(before: VaultRecord<LeaseRecord> | null): Promise<Term | null> {
    const { vault, clock } = this.parts;
    const sent = this.now();
    const body: LeaseRecord = {
      fence: (before?.body.fence ?? 0) + 1,
      taking: randomUUID(),
      process: this.process,
      holder: this.holder,
      since: clock(),
      beat: 0,
      released: false,
    };
    const isWritten = before === null ? await vault.insert(COLLECTION, this.name, body) : await vault.replace(COLLECTION, this.name, before.version, body);
    if (!isWritten) return null;
    const record = await this.read();
    if (record?.body.taking !== body.taking) return null;
    this.term = new VaultTerm({
      record,
      sent,
      times: this.times,
      now: this.now,
      read: () => this.read(),
      replace: (version, next) => vault.replace(COLLECTION, this.name, version, next),
      tell: (error, message) => this.parts.log.error({ err: error, lease: this.name }, message),
    });
    return this.term;
  }

  private read(): Promise<VaultRecord<LeaseRecord> | null> {
    return this.parts.vault.get<LeaseRecord>(COLLECTION, this.name);
  }
}
