import type { VaultRecord } from '../vault/vault.js';
import type { Term } from './lease.js';
import type { LeaseRecord, LeaseTimes } from './vault-lease.js';
import { pauseUnlessAborted } from '../pause.js';

/** A term that was taken, its times, and access to its record in the vault. */
export interface TermOptions {
  /** As read back after the lease was taken. */
  readonly record: VaultRecord<LeaseRecord>;
  /** When the request to take the lease was sent, by `now`. */
  readonly sent: number;
  readonly times: LeaseTimes;
  readonly now: () => number;
  readonly read: () => Promise<VaultRecord<LeaseRecord> | null>;
  readonly replace: (version: number, body: LeaseRecord) => Promise<boolean>;
  readonly onError: (error: unknown, message: string) => void;
}

/** Pause after a failed renewal, in milliseconds. */
const RETRY_MS = 300;

/**
 * A term that ends unless it is renewed in time, whatever the vault says. Time counts from when a renewal was sent; other processes count from when they
 * saw it, which is later, so this term ends before theirs begins.
 */
export class VaultTerm implements Term {
  readonly fence: number;
  private readonly ended = new AbortController();
  private record: VaultRecord<LeaseRecord>;
  private heldUntil: number;
  private expiry: NodeJS.Timeout | undefined;
  private readonly renewing: Promise<void>;

  constructor(private readonly options: TermOptions) {
    this.record = options.record;
    this.fence = options.record.body.fence;
    this.heldUntil = options.sent + options.times.stop;
    this.scheduleExpiry();
    this.renewing = this.renew();
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  isHeld(): boolean {
    return !this.ended.signal.aborted && this.options.now() < this.heldUntil;
  }

  giveUp(): void {
    clearTimeout(this.expiry);
    this.ended.abort();
  }

  /** Ends the term and marks it as released in the vault, if it still is the current one. Otherwise other processes take over after a timeout. */
  async release(): Promise<void> {
    this.giveUp();
    await this.renewing;
    try {
      const record = await this.options.read();
      if (record?.body.taking !== this.record.body.taking) return;
      await this.options.replace(record.version, { ...record.body, released: true });
    } catch (error) {
      this.options.onError(error, 'lease not released: another process takes over after a timeout');
    }
  }

  private async renew(): Promise<void> {
    const { signal } = this.ended;
    for (let wait = this.options.times.renew; !signal.aborted;) {
      await pauseUnlessAborted(wait, signal);
      if (signal.aborted) return;
      try {
        await this.renewOnce();
        wait = this.options.times.renew;
      } catch (error) {
        wait = RETRY_MS;
        this.options.onError(error, 'lease renewal failed, trying again');
      }
    }
  }

  /** Reads the record back: for its version, to see whether a renewal without an answer was stored, and to notice that another process took the lease. */
  private async renewOnce(): Promise<void> {
    const { read, replace, times, now } = this.options;
    const sent = now();
    const beat = this.record.body.beat + 1;
    await replace(this.record.version, { ...this.record.body, beat });
    const record = await read();
    if (record?.body.taking !== this.record.body.taking) return this.giveUp();
    this.record = record;
    if (record.body.beat !== beat) return;
    this.heldUntil = Math.max(this.heldUntil, sent + times.stop);
    this.scheduleExpiry();
  }

  private scheduleExpiry(): void {
    clearTimeout(this.expiry);
    if (this.ended.signal.aborted) return;
    const { now } = this.options;
    this.expiry = setTimeout(() => (now() < this.heldUntil ? this.scheduleExpiry() : this.giveUp()), Math.max(1, this.heldUntil - now()));
  }
}
