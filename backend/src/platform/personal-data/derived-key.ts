import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** A key for one purpose, from a random key of the installation: HKDF-SHA-256 (RFC 5869). @param purpose must never change, and no other key may have it */
export const derivedKey = (installationKey: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', installationKey, '', purpose, KEY_BYTES));
