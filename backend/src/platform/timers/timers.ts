import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../vault/vault.js';
import { mustBeTimer, type Timer } from './timer.js';
import { dueSlots, newRecord, nextSlots, parkedRecord, recordId, retriedRecord, type StoredTimer, type TimerRecord, TIMERS, timerOf } from './timer-records.js';

/**
 * Durable timers: they live in the vault and fire once, at or after their instant, in the process that holds the reactors' lease (`TimerRunner`), across
 * restarts and processes. Setting and cancelling is durable when it resolves. Both throw ServiceUnavailable and DiskFull like every write to the vault.
 */
export class Timers {
  private readonly listeners = new Set<(kind: string) => void>();

  private constructor(private readonly vault: Vault) {}

  static async open(vault: Vault): Promise<Timers> {
    await vault.declare({ name: TIMERS.name, indexes: TIMERS.indexes });
    return new Timers(vault);
  }

  /** Sets a timer, or replaces the one of the same kind and key; one that is the same already stays as it is. An instant in the past fires at once. */
  async set(request: Timer): Promise<void> {
    mustBeTimer(request);
    const id = recordId(request);
    const stored = await this.vault.get<TimerRecord>(TIMERS.name, id);
    const isSet = stored !== null && stored.body.parked === undefined && isDeepStrictEqual(firingOf(stored.body), firingOf(newRecord(request)));
    if (!isSet) await this.vault.put(TIMERS.name, id, newRecord(request));
    for (const listener of this.listeners) listener(request.kind);
  }

  /** Cancels a timer unless it is firing already; without one it does nothing. */
  async cancel(kind: string, key: string): Promise<void> {
    // Reading first saves a write for the many that were never set.
    if ((await this.get(kind, key)) !== null) await this.vault.remove(TIMERS.name, recordId({ kind, key }));
  }

  /** Moves a timer to another instant; it keeps its data. Does nothing without one, for a parked one, and if it is changed meanwhile. */
  async move(kind: string, key: string, to: (timer: Timer) => Instant): Promise<void> {
    const stored = await this.vault.get<TimerRecord>(TIMERS.name, recordId({ kind, key }));
    if (stored === null || stored.body.parked !== undefined) return;
    const moved = { ...stored.body, at: to(timerOf(stored.body)) };
    mustBeTimer(moved);
    if (moved.at !== stored.body.at) await this.vault.replace(TIMERS.name, stored.id, stored.version, newRecord(moved));
    for (const listener of this.listeners) listener(kind);
  }

  /** The timer of a kind and key, parked or not; null without one. */
  async get(kind: string, key: string): Promise<Timer | null> {
    const stored = await this.vault.get<TimerRecord>(TIMERS.name, recordId({ kind, key }));
    return stored === null ? null : timerOf(stored.body);
  }

  /** Calls back with the kind of each timer that this process sets. @returns ends that */
  onSet(listener: (kind: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The timers of a kind in the order in which they are to be tried, from an instant or after a timer, the parked ones left out. */
  async upcoming(kind: string, limit: number, from: Instant | StoredTimer = 0): Promise<readonly StoredTimer[]> {
    if (typeof from === 'number') return this.vault.range<TimerRecord>(TIMERS.name, nextSlots(kind, from, limit));
    const found = await this.vault.range<TimerRecord>(TIMERS.name, nextSlots(kind, from.body.next ?? '', limit + 1));
    return found.filter(({ id }) => id !== from.id).slice(0, limit);
  }

  /** The stored timer if nobody has changed or cancelled it since it was read, else null. */
  async unchanged({ id, version }: StoredTimer): Promise<StoredTimer | null> {
    const stored = await this.vault.get<TimerRecord>(TIMERS.name, id);
    return stored?.version === version ? stored : null;
  }

  /** Removes a timer that has fired, unless it was set to another instant meanwhile. */
  async finish(fired: StoredTimer): Promise<void> {
    for (let stored: StoredTimer | null = fired; stored?.body.at === fired.body.at; stored = await this.vault.get<TimerRecord>(TIMERS.name, fired.id)) {
      if (await this.vault.remove(TIMERS.name, stored.id, stored.version)) return;
    }
  }

  /** Tries it again at `next`, unless it was changed meanwhile. */
  async retry({ id, version, body }: StoredTimer, next: Instant, tries = body.tries): Promise<void> {
    await this.vault.replace(TIMERS.name, id, version, retriedRecord(body, next, tries));
  }

  /** Gives it up until {@link replay}, unless it was changed meanwhile. */
  async park({ id, version, body }: StoredTimer, tries: number): Promise<void> {
    await this.vault.replace(TIMERS.name, id, version, parkedRecord(body, tries));
  }

  /** Makes the parked timers of a kind due again. @returns how many */
  async replay(kind: string, now: Instant): Promise<number> {
    let replayed = 0;
    for (let parked = await this.parked(kind); parked.length > 0; parked = await this.parked(kind)) {
      for (const stored of parked) {
        await this.retry(stored, now, 0);
        replayed += 1;
      }
    }
    for (const listener of this.listeners) listener(kind);
    return replayed;
  }

  /** At most 1,000 parked timers of a kind. */
  parked(kind: string): Promise<readonly StoredTimer[]> {
    return this.vault.find<TimerRecord>(TIMERS.name, { field: 'parked', value: kind });
  }

  /** How late the oldest due timer of a kind is, in seconds; 0 when none is due. Parked timers do not count. */
  async behindSeconds(kind: string, now: Instant): Promise<number> {
    const [oldest] = await this.vault.range<TimerRecord>(TIMERS.name, dueSlots(kind, now, 1));
    return oldest === undefined ? 0 : (now - oldest.body.at) / 1_000;
  }
}

/** When a timer fires, and with what. */
const firingOf = ({ at, data }: TimerRecord): unknown => [at, data];
