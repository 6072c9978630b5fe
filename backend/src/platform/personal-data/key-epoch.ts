import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Vault } from '../vault/vault.js';
import { unwrapKey, wrapKey } from './wrapped-key.js';

const COLLECTION = 'key-epoch';
const ID = 'epoch';
const SUBJECT = 'key-epoch';
const KEY_BYTES = 32;

/** How an epoch is followed, in milliseconds of the own clock: no two machines' clocks are compared. */
export interface EpochTimes {
  /** Between two looks at the vault. */
  readonly pollMs: number;
  /** How long a look counts, from its beginning. */
  readonly validMs: number;
  /** What work that began while it counted may take. */
  readonly slackMs: number;
}

const TIMES: EpochTimes = { pollMs: 1_000, validMs: 3_000, slackMs: 1_000 };

/** Where no other process works: there is nobody to wait for. */
export const SINGLE_PROCESS: EpochTimes = { ...TIMES, slackMs: -TIMES.validMs };

/** What the vault holds: a new mark with each destroyed key, and the wrapped key of what is kept of opened texts until the next. */
interface EpochRecord extends Record<string, unknown> {
  readonly mark: string;
  readonly wrapped: string;
}

/** An epoch as this process knows it. */
interface Epoch {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Tells processes on one vault that a data key was destroyed, so that each forgets what it opened. A process that cannot look for {@link EpochTimes.validMs}
 * does without what it remembers; so whoever destroyed a key knows when all others have forgotten, also those that are cut off or frozen.
 */
export class KeyEpoch {
  private readonly listeners = new Set<() => void>();
  private readonly closing = new AbortController();
  private looking: Promise<void> = Promise.resolve();
  private movedAt = -Infinity;
  private lookedAt = -Infinity;

  private constructor(
    private readonly vault: Vault,
    private readonly masterKey: Buffer,
    private readonly times: EpochTimes,
    private known: Epoch,
  ) {}

  /** Makes the first epoch where there is none, and follows it until `close`. @throws StoreAway */
  static async open(vault: Vault, masterKey: Buffer, times: EpochTimes = TIMES): Promise<KeyEpoch> {
    await vault.declare({ name: COLLECTION });
    await vault.insert(COLLECTION, ID, fresh(masterKey).record);
    const lookedAt = performance.now();
    const epoch = new KeyEpoch(vault, masterKey, times, await read(vault, masterKey));
    epoch.lookedAt = lookedAt;
    epoch.looking = epoch.follow();
    return epoch;
  }

  /** False when a key may have been destroyed that this process has not heard of: nothing that it remembers counts. */
  get isCurrent(): boolean {
    return performance.now() - this.lookedAt < this.times.validMs;
  }

  /** Names the epoch. */
  get id(): string {
    return this.known.id;
  }

  /** Seals what is kept of opened texts. It goes with the epoch: what a process that is late still keeps under it, nobody can read. */
  get key(): Buffer {
    return this.known.key;
  }

  /** Hears of each new epoch, begun here or elsewhere. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Begins a new epoch, after a key was destroyed. */
  async advance(): Promise<void> {
    const { record, epoch } = fresh(this.masterKey);
    await this.vault.put(COLLECTION, ID, record);
    this.movedAt = performance.now();
    this.take(epoch);
  }

  /** Resolves when no process uses anything it remembered before the last {@link advance}. */
  async adoptedEverywhere(): Promise<void> {
    const { validMs, slackMs } = this.times;
    await pause(Math.max(0, this.movedAt + validMs + slackMs - performance.now()));
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.looking;
  }

  private async follow(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      // An abort ends the pause with an error, and the loop.
      await pause(this.times.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.look().catch(() => undefined); // a vault that is away makes this process uncertain, and readiness tells it
    }
  }

  private async look(): Promise<void> {
    const begun = performance.now();
    const found = await read(this.vault, this.masterKey);
    // A look from before this process moved on saw what was there before.
    if (begun < this.movedAt) return;
    if (found.id !== this.known.id) this.take(found);
    this.lookedAt = begun;
  }

  private take(epoch: Epoch): void {
    this.known = epoch;
    for (const listener of this.listeners) listener();
  }
}

function fresh(masterKey: Buffer): { readonly record: EpochRecord; readonly epoch: Epoch } {
  const epoch = { id: randomUUID(), key: randomBytes(KEY_BYTES) };
  return { epoch, record: { mark: epoch.id, wrapped: wrapKey(masterKey, SUBJECT, epoch.key) } };
}

async function read(vault: Vault, masterKey: Buffer): Promise<Epoch> {
  const record = await vault.get<EpochRecord>(COLLECTION, ID);
  if (record === null) throw new Error('the epoch of data keys is missing');
  const { mark, wrapped } = record.body;
  return { id: mark, key: unwrapKey(masterKey, SUBJECT, wrapped) };
}
