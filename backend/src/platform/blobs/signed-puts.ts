import type { Readable } from 'node:stream';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { makePutToken, readPutToken, type PutClaims } from './storage-token.js';

/**
 * Tracks which signed PUTs are in flight and which were used, in the memory of this process. After a restart a used token whose file was moved
 * works once more; the upload sweep removes that file.
 */
export class SignedPuts {
  readonly #inFlight = new Map<string, { readonly key: string; readonly body: Readable }>();
  readonly #spent = new Map<string, Instant>();

  constructor(
    private readonly signingKey: Buffer,
    private readonly clock: () => Instant,
  ) {}

  make(claims: PutClaims): string {
    return makePutToken(claims, this.signingKey);
  }

  /** The claims of a token; null if it is invalid or has expired. */
  read(token: string): PutClaims | null {
    return readPutToken(token, this.signingKey, this.clock());
  }

  /** Registers a body being received and ends an older one with the same token. Call the returned function when it is done. */
  begin(token: string, key: string, body: Readable): () => void {
    this.#inFlight.get(token)?.body.destroy(new Error('a newer upload took over'));
    const entry = { key, body };
    this.#inFlight.set(token, entry);
    return () => {
      if (this.#inFlight.get(token) === entry) this.#inFlight.delete(token);
    };
  }

  /** Whether a file for this key is being received. */
  isReceiving(key: string): boolean {
    return [...this.#inFlight.values()].some((entry) => entry.key === key);
  }

  isSpent(token: string): boolean {
    return this.#spent.has(token);
  }

  /** Marks a token as used and forgets expired ones. */
  spend(token: string, expiresAt: Instant): void {
    const now = this.clock();
    for (const [old, until] of this.#spent) if (until <= now) this.#spent.delete(old);
    this.#spent.set(token, expiresAt);
  }
}
