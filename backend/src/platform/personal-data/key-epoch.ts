import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Vault } from '../vault/vault.js';
import { decrypt, encrypt } from './aes-gcm.js';
import type { WrappedKeys } from './wrapped-keys.js';

const COLLECTION = 'key-epoch';
const ID = 'epoch';
const SUBJECT = 'key-epoch';
const KEY_BYTES = 32;

export const WRAPPED_EPOCH_KEYS: WrappedKeys = { name: COLLECTION, subjectOf: () => SUBJECT };

/** Timing of one process, by its own clock: clocks of different machines are never compared. */
export interface EpochTimes {
  readonly pollMs: number;
  /** Caches may be used for this long after the start of a successful poll. */
  readonly validMs: number;
  /** How long work may take that used a cache just before that. */
  readonly slackMs: number;
}

const TIMES: EpochTimes = { pollMs: 1_000, validMs: 3_000, slackMs: 1_000 };

/** Without other processes there is nothing to wait for. */
export const SINGLE_PROCESS: EpochTimes = { ...TIMES, slackMs: -TIMES.validMs };

/** `mark` is the epoch's id; `wrapped` is its key, wrapped by the master key. */
interface EpochRecord extends Record<string, unknown> {
  readonly mark: string;
  readonly wrapped: string;
}

interface Epoch {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * A record in the vault that changes when a data key is destroyed, so that every process drops its caches of opened texts. A process that could not poll
 * for {@link EpochTimes.validMs} must not use its caches. So the process that destroyed a key knows when all others have dropped theirs, even those that
 * are cut off or frozen.
 */
export class KeyEpoch {
  private readonly listeners = new Set<() => void>();
  private readonly closing = new AbortController();
  private polling: Promise<void> = Promise.resolve();
  private advancedAt = -Infinity;
  private polledAt = -Infinity;

  private constructor(
    private readonly vault: Vault,
    private readonly masterKey: Buffer,
    private readonly times: EpochTimes,
    private current: Epoch,
  ) {}

  /** Creates the first epoch if there is none, and polls until `close`. @throws ServiceUnavailable */
  static async open(vault: Vault, masterKey: Buffer, times: EpochTimes = TIMES): Promise<KeyEpoch> {
    await vault.declare({ name: COLLECTION });
    await vault.insert(COLLECTION, ID, newEpoch(masterKey).record);
    const polledAt = performance.now();
    const epoch = new KeyEpoch(vault, masterKey, times, await read(vault, masterKey));
    epoch.polledAt = polledAt;
    epoch.polling = epoch.pollUntilClosed();
    return epoch;
  }

  /** False if another process may have destroyed a key without this one noticing: then caches must not be used. */
  get isCurrent(): boolean {
    return performance.now() - this.polledAt < this.times.validMs;
  }

  get id(): string {
    return this.current.id;
  }

  /** Encrypts stored copies of opened texts. It is replaced with the epoch, so what a lagging process still stores under it cannot be read. */
  get key(): Buffer {
    return this.current.key;
  }

  /** Calls back after each new epoch, whichever process started it. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Starts a new epoch; call it after destroying a key. */
  async advance(): Promise<void> {
    const { record, epoch } = newEpoch(this.masterKey);
    await this.vault.put(COLLECTION, ID, record);
    this.advancedAt = performance.now();
    this.adopt(epoch);
  }

  /** Resolves when no process uses caches from before the last {@link advance}. */
  async adoptedEverywhere(): Promise<void> {
    const { validMs, slackMs } = this.times;
    await pause(Math.max(0, this.advancedAt + validMs + slackMs - performance.now()));
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.polling;
  }

  private async pollUntilClosed(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      // An abort ends the pause with an error, and the loop.
      await pause(this.times.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      // While the vault cannot be read, `isCurrent` turns false and readiness reports the vault.
      if (!signal.aborted) await this.poll().catch(() => undefined);
    }
  }

  private async poll(): Promise<void> {
    const startedAt = performance.now();
    const found = await read(this.vault, this.masterKey);
    // Started before this process advanced the epoch, so it read the old one.
    if (startedAt < this.advancedAt) return;
    if (found.id !== this.current.id) this.adopt(found);
    this.polledAt = startedAt;
  }

  private adopt(epoch: Epoch): void {
    this.current = epoch;
    for (const listener of this.listeners) listener();
  }
}

function newEpoch(masterKey: Buffer): { readonly record: EpochRecord; readonly epoch: Epoch } {
  const epoch = { id: randomUUID(), key: randomBytes(KEY_BYTES) };
  return { epoch, record: { mark: epoch.id, wrapped: encrypt(masterKey, SUBJECT, epoch.key) } };
}

async function read(vault: Vault, masterKey: Buffer): Promise<Epoch> {
  // Proves that no key was destroyed before it, so a deposed primary must not answer it.
  const record = await vault.get<EpochRecord>(COLLECTION, ID, { isLinearizable: true });
  if (record === null) throw new Error('the epoch of data keys is missing');
  const { mark, wrapped } = record.body;
  return { id: mark, key: decrypt(masterKey, SUBJECT, wrapped) };
}
