import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import type { Lease, Term } from './lease.js';
import { VaultTerm } from './vault-term.js';
import type { Logger } from '../logger.js';
import { pauseUnlessAborted } from '../pause.js';

const COLLECTION = 'leases';

/** A lease as stored in the vault. */
export interface LeaseRecord extends Readonly<Record<string, unknown>> {
  readonly fence: number;
  /** The term's random id. */
  readonly taking: string;
  /** The id of the process that acquired it. */
  readonly process: string;
  /** Its host and process number, for people. */
  readonly holder: string;
  readonly since: Instant;
  /** The number of renewals. */
  readonly beat: number;
  /** Whether its holder has released it, so the next process need not wait. */
  readonly released: boolean;
}

/** The times of a lease in milliseconds, measured by each process's own monotonic clock. */
export interface LeaseTimes {
  /** Interval between renewals. */
  readonly renew: number;
  /** A holder stops when its last successful renewal was sent longer ago. */
  readonly stop: number;
  /** Another process takes over a record that it has seen unchanged for this time. The difference to `stop` leaves time for the former holder's last call. */
  readonly takeOver: number;
  /** A process takes a lease that it has seen free for this time: released, or never taken. */
  readonly takeFree: number;
  /** Poll interval while waiting for the lease. */
  readonly poll: number;
}

export const LEASE_TIMES: LeaseTimes = { renew: 1_000, stop: 4_500, takeOver: 6_000, takeFree: 0, poll: 250 };

/** For a process that should hold the lease only if no other one takes it: it waits a little longer than the others. */
export const STAND_IN_TIMES: LeaseTimes = { ...LEASE_TIMES, takeOver: 7_000, takeFree: 500 };

/** For a lease that no process uses any more: longer than a process needs to restart. */
export const ABANDONED_TIMES: LeaseTimes = { ...LEASE_TIMES, takeOver: 60_000, takeFree: 60_000, poll: 1_000 };

/** Where leases are stored, and the clocks they use. */
export interface LeaseOptions {
  readonly vault: Vault;
  readonly log: Logger;
  /** For the displayed start of a term; it decides nothing. */
  readonly clock: Clock;
  readonly times?: LeaseTimes;
  /** A monotonic clock in milliseconds that also advances while the process is frozen. */
  readonly now?: () => number;
}

/**
 * A lease among processes that share a vault. Clocks are never compared: the holder keeps replacing its record, and a process that sees the same version
 * for long enough by its own clock takes over by replacing exactly that version. Fences only rise.
 */
export class VaultLease implements Lease {
  readonly isPermanent = false;
  private readonly process = randomUUID();
  private readonly holder = `${hostname()}:${process.pid}`;
  private readonly times: LeaseTimes;
  private readonly now: () => number;
  private term: VaultTerm | null = null;
  private isUnavailable = false;

  private constructor(
    readonly name: string,
    private readonly options: LeaseOptions,
  ) {
    this.times = options.times ?? LEASE_TIMES;
    this.now = options.now ?? (() => performance.now());
  }

  /** @throws ServiceUnavailable */
  static async open(name: string, options: LeaseOptions): Promise<VaultLease> {
    await options.vault.declare({ name: COLLECTION });
    return new VaultLease(name, options);
  }

  async acquire(signal: AbortSignal): Promise<Term | null> {
    let seen: { readonly version: number | undefined; readonly since: number } | null = null;
    while (!signal.aborted) {
      try {
        const record = await this.read();
        if (seen === null || seen.version !== record?.version) seen = { version: record?.version, since: this.now() };
        const term = this.now() - seen.since >= this.waitFor(record) ? await this.take(record) : null;
        this.isUnavailable = false;
        if (term !== null) return term;
      } catch (error) {
        // A process that could not read has not seen the record unchanged, so its waiting time starts again.
        seen = null;
        if (!this.isUnavailable) this.options.log.error({ err: error, lease: this.name }, 'lease cannot be read, trying again');
        this.isUnavailable = true;
      }
      await pauseUnlessAborted(this.times.poll, signal);
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

  /** For how long the record must be seen unchanged before this process takes the lease. */
  private waitFor(record: VaultRecord<LeaseRecord> | null): number {
    if (record === null || record.body.released) return this.times.takeFree;
    return record.body.process === this.process ? 0 : this.times.takeOver;
  }

  /** Null when another process was faster. */
  private async take(before: VaultRecord<LeaseRecord> | null): Promise<Term | null> {
    const { vault, clock } = this.options;
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
      onError: (error, message) => this.options.log.error({ err: error, lease: this.name }, message),
    });
    return this.term;
  }

  private read(): Promise<VaultRecord<LeaseRecord> | null> {
    return this.options.vault.get<LeaseRecord>(COLLECTION, this.name);
  }
}
