import type { ByteRange } from '../blobs/blobs.js';

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, section 14.2). Null when the whole file is to be sent: no header, another unit, several
 * ranges or an invalid one. 'unsatisfiable' when the range contains no byte of the file.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = ONE_RANGE.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return null;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

const suffix = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
