import { setTimeout as pause } from 'node:timers/promises';
import type { VaultRecord } from '../vault/vault.js';
import type { Term } from './lease.js';
import type { LeaseRecord, LeaseTimes } from './vault-lease.js';

/** What a term is renewed with. */
export interface TermParts {
  /** As it was read back after it was taken. */
  readonly record: VaultRecord<LeaseRecord>;
  /** When the taking was sent, by `now`. */
  readonly sent: number;
  readonly times: LeaseTimes;
  readonly now: () => number;
  readonly read: () => Promise<VaultRecord<LeaseRecord> | null>;
  readonly replace: (version: number, body: LeaseRecord) => Promise<boolean>;
  readonly tell: (error: unknown, message: string) => void;
}

/** How long after a renewal that failed the next is tried, in milliseconds. */
const AGAIN_MS = 300;

/**
 * A term that lasts as long as it is renewed. What counts is when a renewal was sent: rivals count from when they saw it, which is later. One that has
 * not been renewed in time is over, whatever the vault says: nobody asks whether a rival has begun.
 */
export class VaultTerm implements Term {
  readonly fence: number;
  private readonly over = new AbortController();
  private record: VaultRecord<LeaseRecord>;
  private heldUntil: number;
  private expiry: NodeJS.Timeout | undefined;
  private readonly renewing: Promise<void>;

  constructor(private readonly parts: TermParts) {
    this.record = parts.record;
    this.fence = parts.record.body.fence;
    this.heldUntil = parts.sent + parts.times.stop;
    this.watch();
    this.renewing = this.renew();
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  isHeld(): boolean {
    return !this.over.signal.aborted && this.parts.now() < this.heldUntil;
  }

  giveUp(): void {
    clearTimeout(this.expiry);
    this.over.abort();
  }

  /** Ends it and says so in the vault, if it is still there to be ended; else rivals wait until they have seen enough of it. */
  async release(): Promise<void> {
    this.giveUp();
    await this.renewing;
    try {
      const record = await this.parts.read();
      if (record?.body.taking !== this.record.body.taking) return;
      await this.parts.replace(record.version, { ...record.body, released: true });
    } catch (error) {
      this.parts.tell(error, 'a lease could not be released: another process takes over in some seconds');
    }
  }

  private async renew(): Promise<void> {
    const { signal } = this.over;
    for (let wait = this.parts.times.renew; !signal.aborted;) {
      // An abort ends the pause with an error, and the loop.
      await pause(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.renewOnce();
        wait = this.parts.times.renew;
      } catch (error) {
        wait = AGAIN_MS;
        this.parts.tell(error, 'a lease could not be renewed, trying again');
      }
    }
  }

  /** What was written is read back: it tells the next version, whether a renewal without an answer was stored, and who else has it. */
  private async renewOnce(): Promise<void> {
    const { read, replace, times, now } = this.parts;
    const sent = now();
    const beat = this.record.body.beat + 1;
    await replace(this.record.version, { ...this.record.body, beat });
    const record = await read();
    if (record?.body.taking !== this.record.body.taking) return this.giveUp();
    this.record = record;
    if (record.body.beat !== beat) return;
    this.heldUntil = Math.max(this.heldUntil, sent + times.stop);
    this.watch();
  }

  /** Ends the term when its time is over. */
  private watch(): void {
    clearTimeout(this.expiry);
    if (this.over.signal.aborted) return;
    const { now } = this.parts;
    this.expiry = setTimeout(() => (now() < this.heldUntil ? this.watch() : this.giveUp()), Math.max(1, this.heldUntil - now()));
  }
}
