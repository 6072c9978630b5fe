/** The most octets (UTF-8) of one part of a key, and of a whole key: what file systems and S3 take. */
const PART_OCTETS = 200;
const KEY_OCTETS = 1024;

/** A key that no store may be asked for. */
export class BlobKeyInvalid extends Error {
  override readonly name = 'BlobKeyInvalid';
}

/**
 * Gives the key back when it is one: parts between single slashes, none empty, none beginning with a dot (so none is '..'), without
 * control characters, code points that are no characters (as U+FFFE) and backslashes, in Unicode's composed form (NFC), a part at most 200 octets, the whole at most 1,024.
 * @throws BlobKeyInvalid
 */
export function checkKey(key: string): string {
  const fault = faultOf(key);
  if (fault) throw new BlobKeyInvalid(`a key ${fault}`);
  return key;
}

/** Whether a store may hold a file under it. */
export const isKey = (key: string): boolean => faultOf(key) === null;

/** The same for the prefix of a list: a key, or '' for everything. @throws BlobKeyInvalid */
export function checkPrefix(prefix: string): string {
  return prefix === '' ? '' : checkKey(prefix);
}

function faultOf(key: string): string | null {
  if (/[\p{Cc}\p{Cs}\\]/u.test(key)) return 'has no control characters and backslashes';
  // XML has no way to write some of them: an S3 server would list another key.
  if (/\p{Noncharacter_Code_Point}/u.test(key)) return 'has no code points that are no characters';
  if (key !== key.normalize('NFC')) return 'is in composed form (NFC)';
  if (Buffer.byteLength(key) > KEY_OCTETS) return `has at most ${KEY_OCTETS} octets`;
  const parts = key.split('/');
  if (parts.includes('')) return 'has no empty part';
  if (parts.some((part) => part.startsWith('.'))) return 'has no part that begins with a dot';
  if (parts.some((part) => Buffer.byteLength(part) > PART_OCTETS)) return `has parts of at most ${PART_OCTETS} octets`;
  return null;
}
