import { viewOf } from './audio-file.js';

/** ALAC's own facts, in the magic cookie of its track (ALACSpecificConfig). */
export interface AlacCookie {
  readonly bits: number;
  readonly sampleRate: number;
}

const BYTES = 36;
/** Its size, its type, and version and flags of zero. */
const START = Buffer.from('\0\0\0\x24alac\0\0\0\0', 'latin1');

/** @param bytes the index (moov), or more. Null if there is no cookie of the usual size */
export function readAlacCookie(bytes: Uint8Array): AlacCookie | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(START);
  if (at < 0 || at + BYTES > bytes.length) return null;
  const view = viewOf(bytes.subarray(at));
  return { bits: view.getUint8(17), sampleRate: view.getUint32(32) };
}
