/** What a write-ahead log's index (`-shm`) says was synced: so many frames of the log with this salt. */
export interface WalIndex {
  readonly salt: readonly [number, number];
  readonly frames: number;
}

const COPY = 48;
const IS_INIT = 12;
const FRAMES = 16;
const SALT = 32;

/**
 * Reads the index as a killed program left it; null when it says nothing. SQLite writes it after the commit's sync has returned and in two
 * copies, so that what both of them say was on disk. Source: https://www.sqlite.org/walformat.html#the_wal_index_header
 */
export function readWalIndex(bytes: Uint8Array): WalIndex | null {
  if (bytes.length < 2 * COPY || bytes[IS_INIT] !== 1) return null;
  if (Buffer.compare(bytes.subarray(0, COPY), bytes.subarray(COPY, 2 * COPY)) !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 2 * COPY);
  // Numbers stand as the machine has them, the salt as in the log itself.
  const frames = view.getUint32(FRAMES, isLittleEndian);
  return { salt: [view.getUint32(SALT), view.getUint32(SALT + 4)], frames };
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
