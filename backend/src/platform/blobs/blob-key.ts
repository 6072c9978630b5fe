/** The maximum UTF-8 bytes of one part of a key and of a whole key, within the limits of file systems and S3. */
const PART_BYTES = 200;
const KEY_BYTES = 1024;

/** The key breaks the rules of {@link checkKey}. */
export class BlobKeyInvalid extends Error {
  override readonly name = 'BlobKeyInvalid';
}

/**
 * Returns the key if it is valid: parts separated by single slashes, none empty or beginning with a dot (so none is '..'), without control characters,
 * noncharacters (such as U+FFFE) and backslashes, in Unicode's composed form (NFC), at most 200 bytes per part and 1,024 in total.
 * @throws BlobKeyInvalid
 */
export function checkKey(key: string): string {
  const fault = faultOf(key);
  if (fault) throw new BlobKeyInvalid(`a key must ${fault}`);
  return key;
}

/** Whether a key is valid. */
export const isKey = (key: string): boolean => faultOf(key) === null;

/** The same for a list prefix: a key, or '' for all keys. @throws BlobKeyInvalid */
export function checkPrefix(prefix: string): string {
  return prefix === '' ? '' : checkKey(prefix);
}

function faultOf(key: string): string | null {
  if (/[\p{Cc}\p{Cs}\\]/u.test(key)) return 'not contain control characters or backslashes';
  // XML cannot represent some of them, so an S3 server would list a different key.
  if (/\p{Noncharacter_Code_Point}/u.test(key)) return 'not contain Unicode noncharacters';
  if (key !== key.normalize('NFC')) return 'be in composed form (NFC)';
  if (Buffer.byteLength(key) > KEY_BYTES) return `have at most ${KEY_BYTES} bytes`;
  const parts = key.split('/');
  if (parts.includes('')) return 'not have an empty part';
  if (parts.some((part) => part.startsWith('.'))) return 'not have a part that begins with a dot';
  if (parts.some((part) => Buffer.byteLength(part) > PART_BYTES)) return `not have a part of more than ${PART_BYTES} bytes`;
  return null;
}
