import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Vault } from '../vault/vault.js';

const COLLECTION = 'data-keys';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CACHED = 10_000;

/** Wraps a key with the master key: nonce, tag and cipher text in base64url. `subject` is bound to it. */
export function wrapKey(masterKey: Buffer, subject: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(Buffer.from(subject));
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** The key again. @throws Error under another master key or for another subject. */
export function unwrapKey(masterKey: Buffer, subject: string, wrapped: string): Buffer {
  const bytes = Buffer.from(wrapped, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', masterKey, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(subject));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/** The data keys of people and streams: AES-256, kept in the vault wrapped by the master key. Destroying one makes what it sealed unreadable. */
export class DataKeys {
  private readonly cache = new Map<string, Promise<Buffer | null>>();
  private readonly listeners = new Set<(subject: string) => void | Promise<void>>();

  private constructor(
    private readonly vault: Vault,
    private readonly masterKey: Buffer,
  ) {}

  static async open(vault: Vault, masterKey: Buffer): Promise<DataKeys> {
    await vault.declare({ name: COLLECTION });
    return new DataKeys(vault, masterKey);
  }

  /** The key of a subject, made at its first use. */
  async forSealing(subject: string): Promise<Buffer> {
    const known = await this.forOpening(subject);
    if (known !== null) return known;
    await this.vault.insert(COLLECTION, subject, { wrapped: wrapKey(this.masterKey, subject, randomBytes(32)) });
    this.cache.delete(subject);
    const made = await this.forOpening(subject);
    if (made === null) throw new Error(`the data key of ${subject} was destroyed while it was made`);
    return made;
  }

  /** The key of a subject, null when there is none (any more). */
  forOpening(subject: string): Promise<Buffer | null> {
    const cached = this.cache.get(subject);
    if (cached !== undefined) return cached;
    const reading = this.read(subject);
    this.cache.set(subject, reading);
    reading.then(
      (key) => (key === null ? this.cache.delete(subject) : this.trim()),
      () => this.cache.delete(subject),
    );
    return reading;
  }

  /**
   * Final: nothing sealed with it can be read again, in any copy of the log. Resolves when everybody who keeps opened texts has dropped them;
   * destroying again does all of it again.
   */
  async destroy(subject: string): Promise<void> {
    await this.vault.remove(COLLECTION, subject);
    this.cache.delete(subject);
    for (const listener of this.listeners) await listener(subject);
  }

  /**
   * For whoever keeps texts that a key opened (folds, snapshots): hears of each key that is destroyed, to drop what was kept of its subject
   * (`user-<uid>`, or the name of a stream). @returns a function that stops it
   */
  onDestroyed(listener: (subject: string) => void | Promise<void>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async read(subject: string): Promise<Buffer | null> {
    const record = await this.vault.get<{ wrapped: string }>(COLLECTION, subject);
    return record === null ? null : unwrapKey(this.masterKey, subject, record.body.wrapped);
  }

  private trim(): void {
    const oldest = this.cache.keys().next();
    if (this.cache.size > CACHED && !oldest.done) this.cache.delete(oldest.value);
  }
}
