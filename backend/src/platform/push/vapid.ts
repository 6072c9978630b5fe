import { createECDH, hkdfSync } from 'node:crypto';
import type { Config } from '../config/config.js';
import { senderAddressOf } from '../mail/sender.js';

/** The pair of keys (RFC 8292) that a server proves with who sends a push message: an uncompressed point and a scalar on P-256, in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const VAPID_CURVE = 'prime256v1';
/** The number of points of the curve. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const SCALAR_BYTES = 32;
/** 128 bits more than a scalar has, so that every scalar is as likely as any other (FIPS 186-5, A.2.1). */
const DERIVED_BYTES = SCALAR_BYTES + 16;

/** @throws Error for a scalar that is no private key */
function publicKeyOf(privateKey: Buffer): string {
  const curve = createECDH(VAPID_CURVE);
  curve.setPrivateKey(privateKey);
  return curve.getPublicKey('base64url');
}

/** The keys that belong to a random key of the installation: HKDF-SHA-256 (RFC 5869). Every process, and every restored copy, has the same. */
export function vapidKeysFrom(installationKey: Buffer): VapidKeys {
  const derived = Buffer.from(hkdfSync('sha256', installationKey, '', 'roughmix vapid 1', DERIVED_BYTES));
  const scalar = (BigInt(`0x${derived.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(SCALAR_BYTES * 2, '0'), 'hex');
  return { publicKey: publicKeyOf(privateKey), privateKey: privateKey.toString('base64url') };
}

/** Whether a public key is that of a private one. */
export function isVapidPair({ publicKey, privateKey }: VapidKeys): boolean {
  try {
    return publicKeyOf(Buffer.from(privateKey, 'base64url')) === publicKey;
  } catch {
    // Zero, or more than the curve's order.
    return false;
  }
}

/** Where a push service reaches the operator: SUPPORT_EMAIL, else the site, else the sender of e-mails. */
export function vapidSubjectOf(config: Pick<Config, 'SUPPORT_EMAIL' | 'PUBLIC_URL' | 'MAIL_FROM' | 'PORT'>): string {
  if (config.SUPPORT_EMAIL !== null) return `mailto:${config.SUPPORT_EMAIL}`;
  if (config.PUBLIC_URL?.startsWith('https:') === true) return config.PUBLIC_URL;
  return `mailto:${senderAddressOf(config)}`;
}
