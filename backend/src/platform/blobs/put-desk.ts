import type { Readable } from 'node:stream';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { makePutToken, readPutToken, type PutClaims } from './storage-token.js';

/**
 * Which signed PUTs are in flight and which were used. It remembers in this process alone: after a restart a token whose file was moved on may
 * be used once more, and the sweep of uploads takes what it brings.
 */
export class PutDesk {
  readonly #inFlight = new Map<string, { readonly key: string; readonly body: Readable }>();
  readonly #spent = new Map<string, Instant>();

  constructor(
    private readonly signingKey: Buffer,
    private readonly clock: () => Instant,
  ) {}

  make(claims: PutClaims): string {
    return makePutToken(claims, this.signingKey);
  }

  /** What a token allows; null when it is not ours or has expired. */
  read(token: string): PutClaims | null {
    return readPutToken(token, this.signingKey, this.clock());
  }

  /** Notes a body that is being received, and ends the older one of the same token: its sender has given it up. Call what it gives when it is over. */
  begin(token: string, key: string, body: Readable): () => void {
    this.#inFlight.get(token)?.body.destroy(new Error('a newer upload took over'));
    const entry = { key, body };
    this.#inFlight.set(token, entry);
    return () => {
      if (this.#inFlight.get(token) === entry) this.#inFlight.delete(token);
    };
  }

  /** Whether a file for this key is on its way right now. */
  isReceiving(key: string): boolean {
    return [...this.#inFlight.values()].some((entry) => entry.key === key);
  }

  isSpent(token: string): boolean {
    return this.#spent.has(token);
  }

  /** Notes that a token has brought its file; forgets those that have expired since. */
  spend(token: string, expiresAt: Instant): void {
    const now = this.clock();
    for (const [old, until] of this.#spent) if (until <= now) this.#spent.delete(old);
    this.#spent.set(token, expiresAt);
  }
}
