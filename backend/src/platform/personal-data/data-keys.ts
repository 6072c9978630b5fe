import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vault } from '../vault/vault.js';
import type { KeyEpoch } from './key-epoch.js';
import { unwrapKey, wrapKey } from './wrapped-key.js';

const COLLECTION = 'data-keys';
const KEY_BYTES = 32;
const CACHED = 10_000;

/** A key, or what stays of a destroyed one where several processes share the vault: a slower one must not make it anew. */
type KeyRecord = { readonly wrapped: string } | { readonly destroyed: true };

/** The data keys of people and streams: AES-256, kept in the vault wrapped by the master key. Destroying one makes what it sealed unreadable. */
export class DataKeys {
  private readonly cache = new LRUCache<string, Promise<Buffer | null>>({ max: CACHED });
  private readonly listeners = new Set<() => void | Promise<void>>();

  private constructor(
    private readonly vault: Vault,
    private readonly masterKey: Buffer,
    private readonly epoch: KeyEpoch | null,
  ) {
    epoch?.onChange(() => this.cache.clear());
  }

  /** @param epoch where other processes work on the same vault, null when there is none */
  static async open(vault: Vault, masterKey: Buffer, epoch: KeyEpoch | null = null): Promise<DataKeys> {
    await vault.declare({ name: COLLECTION });
    return new DataKeys(vault, masterKey, epoch);
  }

  /** The key of a subject, made at its first use. What is sealed for a subject whose key was destroyed elsewhere, nobody can read. */
  async forSealing(subject: string): Promise<Buffer> {
    // Not by `forOpening`: whoever opens at the same time would take its answer, which may be from before another process made the key.
    const known = (await this.cache.get(subject)) ?? (await this.read(subject));
    if (known !== null) return known;
    const made: KeyRecord = { wrapped: wrapKey(this.masterKey, subject, randomBytes(KEY_BYTES)) };
    await this.vault.insert(COLLECTION, subject, made);
    this.cache.delete(subject);
    const stored = await this.forOpening(subject);
    if (stored !== null) return stored;
    if (this.epoch === null) throw new Error(`the data key of ${subject} was destroyed while it was made`);
    return randomBytes(KEY_BYTES);
  }

  /** The key of a subject, null when there is none (any more). */
  forOpening(subject: string): Promise<Buffer | null> {
    if (this.epoch?.isCurrent === false) {
      this.cache.clear();
      return this.read(subject);
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
   * Final: nothing sealed with it can be read again, in any copy of the log. Resolves when everybody in this process who keeps opened texts has dropped
   * them; other processes have when {@link destroyedEverywhere} resolves. Destroying again does all of it again.
   */
  async destroy(subject: string): Promise<void> {
    if (this.epoch === null) await this.vault.remove(COLLECTION, subject);
    else await this.vault.put(COLLECTION, subject, { destroyed: true } satisfies KeyRecord);
    await this.epoch?.advance();
    this.cache.delete(subject);
    await this.tellKeepers();
  }

  /** Resolves when no process can show again what a destroyed key had opened, and what was kept of it meanwhile is dropped too. */
  async destroyedEverywhere(): Promise<void> {
    if (this.epoch === null) return;
    await this.epoch.adoptedEverywhere();
    await this.tellKeepers();
  }

  /**
   * For whoever keeps texts that keys opened (folds, snapshots): hears of each key that is destroyed here, to drop what was kept.
   * @returns a function that stops it
   */
  onDestroyed(listener: () => void | Promise<void>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async tellKeepers(): Promise<void> {
    const told = await Promise.allSettled([...this.listeners].map(async (listener) => listener()));
    for (const each of told) if (each.status === 'rejected') throw each.reason;
  }

  private async read(subject: string): Promise<Buffer | null> {
    const record = await this.vault.get<KeyRecord>(COLLECTION, subject);
    return record === null || 'destroyed' in record.body ? null : unwrapKey(this.masterKey, subject, record.body.wrapped);
  }

  /** What is not there may be made at any time. */
  private forget(subject: string, reading: Promise<Buffer | null>): void {
    if (this.cache.get(subject) === reading) this.cache.delete(subject);
  }
}
