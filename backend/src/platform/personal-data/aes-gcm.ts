import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM: nonce, tag and ciphertext in base64url. `context` is authenticated, so the text cannot be moved to another place. */
export function encrypt(key: Buffer, context: string, content: Buffer | string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** @throws Error for another key, another context or a changed text */
export function decrypt(key: Buffer | KeyObject, context: string, encrypted: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  // Returns no more content in this mode, but throws if the tag does not match.
  decipher.final();
  return content;
}
