/** The synced frames according to a write-ahead log's index (`-shm`), and the log's salt. */
export interface WalIndex {
  readonly salt: readonly [number, number];
  readonly frames: number;
}

const COPY = 48;
const IS_INIT = 12;
const FRAMES = 16;
const SALT = 32;

/**
 * Reads the index left by a killed process; null if it is unusable. SQLite writes two copies after a commit's sync has returned, so frames
 * in both copies were on disk. Source: https://www.sqlite.org/walformat.html#the_wal_index_header
 */
export function readWalIndex(bytes: Uint8Array): WalIndex | null {
  if (bytes.length < 2 * COPY || bytes[IS_INIT] !== 1) return null;
  if (Buffer.compare(bytes.subarray(0, COPY), bytes.subarray(COPY, 2 * COPY)) !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 2 * COPY);
  // Numbers are in native byte order, the salt is as in the log.
  const frames = view.getUint32(FRAMES, isLittleEndian);
  return { salt: [view.getUint32(SALT), view.getUint32(SALT + 4)], frames };
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
