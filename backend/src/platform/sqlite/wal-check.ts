import type { WalIndex } from './wal-index.js';

/** A write-ahead log's bytes, read in pieces. */
export interface WalBytes {
  readonly size: number;
  /** Reads `length` bytes from `offset`, within `size`. */
  read(offset: number, length: number): Uint8Array;
}

/** The state of a write-ahead log. Offsets and sizes are in bytes of its file. */
export type WalVerdict =
  /**
   * Usable up to the last whole commit (`wholeBytes`), followed by a torn write (`droppedBytes`). `missingBytes` were synced according to
   * the log's index but are missing at the end of the file.
   */
  | { readonly kind: 'sound'; readonly wholeBytes: number; readonly droppedBytes: number; readonly missingBytes: number }
  /** Synced bytes were changed. */
  | { readonly kind: 'damaged'; readonly offset: number };

interface Frame {
  readonly commit: boolean;
  readonly salt: Pair;
  readonly stored: Pair;
  /** The running checksum of this frame, starting from the previous frame's checksum `seed`. */
  sumFrom(seed: Pair): Pair;
  readonly page: number;
}
type Pair = readonly [number, number];

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
const VERSION = 3007000;
const FRAMES_PER_PIECE = 256;
const USUAL_PAGE = 4096;
const BLOCK = 4096;

/**
 * Checks a SQLite write-ahead log before SQLite opens it, because SQLite treats any bad frame as the end and drops everything after it.
 * A bad frame is damage if something proves that it was synced: the log's index (null if there is none), a valid frame of a later
 * transaction, or its own first and last block. Otherwise it is a torn write that was never acknowledged (docs/adr/0010-torn-or-damaged.md).
 * Source: https://www.sqlite.org/fileformat2.html#walformat
 */
export function checkWal(bytes: WalBytes, index: WalIndex | null): WalVerdict {
  if (bytes.size < HEADER) return { kind: 'sound', wholeBytes: 0, droppedBytes: bytes.size, missingBytes: 0 };
  const wal = new WalReader(bytes);
  const synced = index !== null && equal(index.salt, wal.salt) ? index.frames : 0;
  if (!wal.headerValid) return judgeHeader(wal, bytes.size, synced);
  let seed = wal.headerStored;
  let bad = 0;
  let whole = 0;
  for (; bad < wal.count; bad++) {
    const frame = wal.frame(bad);
    if (!isValid(frame, seed, wal.salt)) break;
    seed = frame.stored;
    if (frame.commit) whole = bad + 1;
  }
  if (bad < wal.count && (bad < synced || provenSynced(wal, bad))) return { kind: 'damaged', offset: wal.offset(bad) };
  const missingBytes = Math.max(0, wal.offset(synced) - wal.offset(whole));
  return { kind: 'sound', wholeBytes: wal.offset(whole), droppedBytes: tornBytes(wal, whole, bytes.size), missingBytes };
}

function judgeHeader(wal: WalReader, size: number, synced: number): WalVerdict {
  if (synced > 0) return { kind: 'damaged', offset: 0 };
  let seeds: readonly Pair[] = [wal.headerStored, wal.headerSum];
  for (let i = 0; i < wal.count; i++) {
    const frame = wal.frame(i);
    if (seeds.some((seed) => isValid(frame, seed, frame.salt))) return { kind: 'damaged', offset: 0 };
    seeds = [frame.stored];
  }
  return { kind: 'sound', wholeBytes: 0, droppedBytes: size, missingBytes: 0 };
}

/** A transaction starts only after the previous one was synced, so a valid later frame proves all earlier transactions. */
function provenSynced(wal: WalReader, bad: number): boolean {
  const broken = wal.frame(bad);
  let seeds: readonly Pair[] = [broken.stored, broken.sumFrom(wal.sumBefore(bad))];
  let commitSeen = broken.commit && equal(broken.salt, wal.salt);
  let validSeen = false;
  for (let i = bad + 1; i < wal.count; i++) {
    const frame = wal.frame(i);
    const valid = seeds.some((seed) => isValid(frame, seed, wal.salt));
    if (valid && commitSeen) return true;
    validSeen ||= valid;
    commitSeen ||= valid && frame.commit;
    seeds = [frame.stored];
  }
  return validSeen && reachedDisk(wal, bad);
}

/**
 * A power cut may lose any disk block of the last transaction. A frame whose first and last block both have headers of this log was
 * written completely, so a wrong checksum in it is damage.
 */
function reachedDisk(wal: WalReader, index: number): boolean {
  const start = wal.offset(index);
  const end = wal.offset(index + 1);
  const sharesBlock = Math.floor((end + 16) / BLOCK) === Math.floor((end - 1) / BLOCK);
  const spansTwo = Math.floor((end - 1) / BLOCK) - Math.floor((start + 8) / BLOCK) <= 1;
  const own = wal.frame(index).salt;
  const startWritten = own[0] === wal.salt[0] || own[1] === wal.salt[1];
  return startWritten && sharesBlock && spansTwo && equal(wal.frame(index + 1).salt, wal.salt);
}

/** Frames after the end with another salt belong to an earlier WAL generation and are not a loss. */
function tornBytes(wal: WalReader, whole: number, size: number): number {
  let index = whole;
  while (index < wal.count && equal(wal.frame(index).salt, wal.salt)) index++;
  const end = index === wal.count ? size : wal.offset(index);
  return end - wal.offset(whole);
}

function isValid(frame: Frame, seed: Pair, salt: Pair): boolean {
  return frame.page !== 0 && equal(frame.salt, salt) && equal(frame.sumFrom(seed), frame.stored);
}

const equal = (a: Pair, b: Pair): boolean => a[0] === b[0] && a[1] === b[1];

/** Reads frames through a buffer. */
class WalReader {
  readonly headerValid: boolean;
  readonly headerStored: Pair;
  readonly headerSum: Pair;
  readonly salt: Pair;
  /** The number of whole frames in the file. */
  readonly count: number;
  readonly #frameSize: number;
  readonly #littleEndian: boolean;
  #piece: DataView = new DataView(new ArrayBuffer(0));
  #pieceStart = -1;

  constructor(readonly bytes: WalBytes) {
    const header = viewOf(bytes.read(0, HEADER));
    const magic = header.getUint32(0);
    const pageSize = header.getUint32(8);
    const known = pageSize >= 512 && pageSize <= 65536 && (pageSize & (pageSize - 1)) === 0;
    this.#littleEndian = (magic & 1) === 0;
    this.#frameSize = FRAME_HEADER + (known ? pageSize : USUAL_PAGE);
    this.count = Math.floor((bytes.size - HEADER) / this.#frameSize);
    this.salt = [header.getUint32(16), header.getUint32(20)];
    this.headerStored = [header.getUint32(24), header.getUint32(28)];
    this.headerSum = checksum(header, { from: 0, to: 24, seed: [0, 0], littleEndian: this.#littleEndian });
    this.headerValid = (magic & ~1) >>> 0 === MAGIC && header.getUint32(4) === VERSION && known && equal(this.headerSum, this.headerStored);
  }

  offset(index: number): number {
    return HEADER + index * this.#frameSize;
  }

  /** The stored checksum that frame `index` builds on. */
  sumBefore(index: number): Pair {
    return index === 0 ? this.headerStored : this.frame(index - 1).stored;
  }

  frame(index: number): Frame {
    const piece = this.#load(index);
    const at = (index - this.#pieceStart) * this.#frameSize;
    const littleEndian = this.#littleEndian;
    const end = at + this.#frameSize;
    return {
      page: piece.getUint32(at),
      commit: piece.getUint32(at + 4) !== 0,
      salt: [piece.getUint32(at + 8), piece.getUint32(at + 12)],
      stored: [piece.getUint32(at + 16), piece.getUint32(at + 20)],
      sumFrom: (seed) => {
        const afterHeader = checksum(piece, { from: at, to: at + 8, seed, littleEndian });
        return checksum(piece, { from: at + FRAME_HEADER, to: end, seed: afterHeader, littleEndian });
      },
    };
  }

  #load(index: number): DataView {
    const start = index - (index % FRAMES_PER_PIECE);
    if (start !== this.#pieceStart) {
      const frames = Math.min(FRAMES_PER_PIECE, this.count - start);
      this.#piece = viewOf(this.bytes.read(this.offset(start), frames * this.#frameSize));
      this.#pieceStart = start;
    }
    return this.#piece;
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function checksum(view: DataView, span: { from: number; to: number; seed: Pair; littleEndian: boolean }): Pair {
  let [first, second] = span.seed;
  for (let at = span.from; at < span.to; at += 8) {
    first = (first + view.getInt32(at, span.littleEndian) + second) | 0;
    second = (second + view.getInt32(at + 4, span.littleEndian) + first) | 0;
  }
  return [first >>> 0, second >>> 0];
}
