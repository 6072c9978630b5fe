import type { ByteRange } from '../blobs/blobs.js';

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * What a `Range` header asks of `size` octets (RFC 9110, 14.2). Null when the whole is to be sent: no header, another unit, several
 * ranges, or nonsense. 'unsatisfiable' when no octet lies in it.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const found = ONE_RANGE.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = found ?? [];
  if (found === null || (first === '' && last === '')) return null;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

const suffix = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
