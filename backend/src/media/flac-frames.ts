import { viewOf, type AudioFile } from './audio-file.js';

const WINDOW = 1 << 20;
const LONGEST_HEADER = 16;
const MAX_MILLISECONDS = 2_000;

interface FrameHeader {
  /** Whether `number` counts samples, as in files with blocks of different lengths, or frames. */
  readonly isSampleNumber: boolean;
  readonly number: number;
  readonly samples: number;
}

/**
 * Counts samples by the headers of the frames (RFC 9639, section 9.1), each of which must continue the one before it, so that audio data is not taken for one.
 * Null if there is none, or if the time is up before the end of the file.
 */
export async function countFlacSamples(file: AudioFile, start: number, milliseconds = MAX_MILLISECONDS): Promise<number | null> {
  const giveUpAt = performance.now() + milliseconds;
  let samples = 0;
  let frames = 0;
  for (let from = start; from < file.size; from += WINDOW) {
    if (performance.now() >= giveUpAt) return null;
    const bytes = await file.read(from, WINDOW + LONGEST_HEADER);
    for (let at = bytes.indexOf(0xff); at >= 0 && at < WINDOW; at = bytes.indexOf(0xff, at + 1)) {
      const header = headerAt(bytes, at);
      if (header?.number !== (header?.isSampleNumber ? samples : frames)) continue;
      samples += header.samples;
      frames += 1;
    }
  }
  return samples || null;
}

function headerAt(bytes: Uint8Array, at: number): FrameHeader | null {
  if (((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return null;
  const view = viewOf(bytes.subarray(at, at + LONGEST_HEADER));
  if (view.byteLength < 6) return null;
  const [sizeCode, rateCode] = [view.getUint8(2) >> 4, view.getUint8(2) & 15];
  const numberBytes = codedLength(view.getUint8(4));
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const end = 4 + numberBytes + sizeBytes + rateBytes;
  if (numberBytes === 0 || sizeCode === 0 || rateCode === 15 || end >= view.byteLength || crc8(view, end) !== view.getUint8(end)) return null;
  const coded = 4 + numberBytes;
  const samples = sizeBytes === 1 ? view.getUint8(coded) + 1 : sizeBytes === 2 ? view.getUint16(coded) + 1 : usualSize(sizeCode);
  return { isSampleNumber: (view.getUint8(1) & 1) === 1, number: codedNumber(view, numberBytes), samples };
}

const usualSize = (code: number): number => (code === 1 ? 192 : code < 6 ? 144 << code : 1 << code);

/** Bytes of a number in the extended UTF-8 coding; 0 if this byte starts none. */
function codedLength(first: number): number {
  const ones = Math.clz32(~(first << 24));
  return ones === 0 ? 1 : ones >= 2 && ones <= 7 ? ones : 0;
}

function codedNumber(view: DataView, length: number): number {
  if (length === 1) return view.getUint8(4);
  let number = view.getUint8(4) & (0x7f >> length);
  for (let at = 5; at < 4 + length; at++) number = number * 64 + (view.getUint8(at) & 0x3f);
  return number;
}

function crc8(view: DataView, length: number): number {
  let rest = 0;
  for (let at = 0; at < length; at++) {
    rest ^= view.getUint8(at);
    for (let bit = 0; bit < 8; bit++) rest = (rest & 0x80 ? (rest << 1) ^ 0x07 : rest << 1) & 0xff;
  }
  return rest;
}
