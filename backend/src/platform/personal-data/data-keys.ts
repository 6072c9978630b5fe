import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vault, VaultReadOptions } from '../vault/vault.js';
import type { KeyEpoch } from './key-epoch.js';
import { decrypt, encrypt } from './aes-gcm.js';
import type { WrappedKeys } from './wrapped-keys.js';

const COLLECTION = 'data-keys';
const KEY_BYTES = 32;
const MAX_CACHED = 10_000;

export const WRAPPED_DATA_KEYS: WrappedKeys = { name: COLLECTION, subjectOf: (subject) => subject };

/** A wrapped key, or a tombstone. Processes that share a vault leave tombstones, so that a lagging one cannot recreate a destroyed key. */
type KeyRecord = { readonly wrapped: string } | { readonly destroyed: true };

/** The AES-256 data keys of users and streams, wrapped by the master key in the vault. Destroying a key makes everything sealed with it unreadable. */
export class DataKeys {
  private readonly cache = new LRUCache<string, Promise<Buffer | null>>({ max: MAX_CACHED });
  private readonly listeners = new Set<() => void | Promise<void>>();

  private constructor(
    private readonly vault: Vault,
    private readonly masterKey: Buffer,
    private readonly epoch: KeyEpoch | null,
  ) {
    epoch?.onChange(() => this.cache.clear());
  }

  /** @param epoch null if no other process works on the vault */
  static async open(vault: Vault, masterKey: Buffer, epoch: KeyEpoch | null = null): Promise<DataKeys> {
    await vault.declare({ name: COLLECTION });
    return new DataKeys(vault, masterKey, epoch);
  }

  /** The key of a subject, created at first use. If another process destroyed it, returns a throwaway key, so that nothing sealed with it can be read. */
  async forSealing(subject: string): Promise<Buffer> {
    // Bypasses the cache of `forOpening`: a pending null from before the key was created would otherwise be shared with concurrent readers.
    const known = (await this.cache.get(subject)) ?? (await this.read(subject));
    if (known !== null) return known;
    const created: KeyRecord = { wrapped: encrypt(this.masterKey, subject, randomBytes(KEY_BYTES)) };
    await this.vault.insert(COLLECTION, subject, created);
    this.cache.delete(subject);
    const stored = await this.forOpening(subject);
    if (stored !== null) return stored;
    if (this.epoch === null) throw new Error(`the data key of ${subject} was destroyed while it was being created`);
    return randomBytes(KEY_BYTES);
  }

  /** The key of a subject, null if there is none or it was destroyed. */
  forOpening(subject: string): Promise<Buffer | null> {
    if (this.epoch?.isCurrent === false) {
      this.cache.clear();
      return this.read(subject, { isLinearizable: true });
    }
    const cached = this.cache.get(subject);
    if (cached !== undefined) return cached;
    const reading = this.read(subject);
    this.cache.set(subject, reading);
    reading.then(
      (key) => {
        if (key === null) this.forget(subject, reading);
      },
      () => this.forget(subject, reading),
    );
    return reading;
  }

  /**
   * Destroys a key for good: nothing sealed with it can be read again, in any copy of the log. Resolves when this process has dropped cached texts; for
   * other processes, see {@link destroyedEverywhere}. Idempotent.
   */
  async destroy(subject: string): Promise<void> {
    if (this.epoch === null) await this.vault.remove(COLLECTION, subject);
    else await this.vault.put(COLLECTION, subject, { destroyed: true } satisfies KeyRecord);
    await this.epoch?.advance();
    this.cache.delete(subject);
    await this.notifyListeners();
  }

  /** Resolves when no process can show text of destroyed keys any more. Notifies the listeners again, for texts cached in the meantime. */
  async destroyedEverywhere(): Promise<void> {
    if (this.epoch === null) return;
    await this.epoch.adoptedEverywhere();
    await this.notifyListeners();
  }

  /** Calls back when this process destroys a key, so that caches of opened texts are dropped. @returns unsubscribes */
  onDestroyed(listener: () => void | Promise<void>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async notifyListeners(): Promise<void> {
    const results = await Promise.allSettled([...this.listeners].map(async (listener) => listener()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  private async read(subject: string, options?: VaultReadOptions): Promise<Buffer | null> {
    const record = await this.vault.get<KeyRecord>(COLLECTION, subject, options);
    return record === null || 'destroyed' in record.body ? null : decrypt(this.masterKey, subject, record.body.wrapped);
  }

  /** A missing key may be created at any time, so its absence is not cached. */
  private forget(subject: string, reading: Promise<Buffer | null>): void {
    if (this.cache.get(subject) === reading) this.cache.delete(subject);
  }
}
