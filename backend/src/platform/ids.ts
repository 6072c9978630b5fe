import { createHash, randomBytes } from 'node:crypto';
import type { Id } from '@roughmix/contracts/shared/ids.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

function base62(bytes: Buffer): Id {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let id = '';
  for (let place = 0; place < LENGTH; place += 1) {
    id += ALPHABET[Number(number % 62n)];
    number /= 62n;
  }
  return id;
}

/** A new random id (over 128 bits). */
export const newId = (): Id => base62(randomBytes(24));

/** Derives an id from the parts, so that a repeated command creates the same thing. */
export const idFrom = (...parts: readonly string[]): Id => base62(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 24));
