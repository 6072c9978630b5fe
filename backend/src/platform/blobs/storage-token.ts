import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** A token's claims: its bearer may put one file of exactly `size` bytes and this content type under `key` before `expiresAt`. */
export interface PutClaims {
  readonly key: string;
  readonly size: number;
  readonly contentType: string;
  readonly expiresAt: Instant;
}

/** Separates these signatures from others made with the same key. */
const PURPOSE = 'roughmix storage put 1\n';

/** `claims.signature`, both base64url, signed with HMAC-SHA-256. The bearer can read the claims. */
export function makePutToken({ key, size, contentType, expiresAt }: PutClaims, signingKey: Buffer): string {
  const claims = Buffer.from(JSON.stringify({ key, size, contentType, expiresAt })).toString('base64url');
  return `${claims}.${sign(claims, signingKey).toString('base64url')}`;
}

/** The claims of a token; null if it was not made with this key or has expired at `now`. */
export function readPutToken(token: string, signingKey: Buffer, now: Instant): PutClaims | null {
  const [claims = '', signature = '', ...more] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const right = sign(claims, signingKey);
  // Decoding ignores stray characters, so only the canonical spelling is accepted.
  if (more.length > 0 || given.toString('base64url') !== signature || given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const parsed = JSON.parse(Buffer.from(claims, 'base64url').toString()) as PutClaims;
  return now < parsed.expiresAt ? parsed : null;
}

function sign(claims: string, signingKey: Buffer): Buffer {
  return createHmac('sha256', signingKey).update(PURPOSE).update(claims).digest();
}
