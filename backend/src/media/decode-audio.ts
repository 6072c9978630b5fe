import { decodeChunked } from 'audio-decode/stream';
import type { AudioFormat, Decoding } from './audio-format.js';
import type { AudioFile } from './audio-file.js';

/** Some decoded samples, one array per channel, all equally long. */
export interface DecodedPiece {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
}

const WINDOW = 1 << 20;
const PCM_PIECE = 1 << 18;
/** Small, because 16 kB of well compressed silence are minutes of samples. */
const PIECE = 1 << 14;
const LONGEST_FLAC_HEADER = 16;

/** Decodes in pieces: what is in memory at once does not grow with the file. */
export function decodeAudio(file: AudioFile, format: AudioFormat): AsyncIterable<DecodedPiece> {
  const { decoder } = format.decoding;
  const octets = pieces(file, format.decoding, decoder === 'wav' ? PCM_PIECE : PIECE);
  return decodeChunked(decoder === 'flac' ? wholeHeaders(octets) : octets, decoder);
}

async function* pieces(file: AudioFile, { prefix, start, end }: Decoding, length: number): AsyncGenerator<Uint8Array> {
  if (prefix) yield prefix;
  for (let at = start; at < end; at += WINDOW) {
    const window = await file.read(at, Math.min(WINDOW, end - at));
    for (let from = 0; from < window.length; from += length) yield window.subarray(from, from + length);
  }
}

/** The decoder overlooks a frame whose header is cut in two, so what may be a header's beginning at the end of a piece goes to the next. */
async function* wholeHeaders(octets: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of octets) {
    const joined = new Uint8Array(held.length + piece.length);
    joined.set(held);
    joined.set(piece, held.length);
    const cut = headerStart(joined);
    held = joined.subarray(cut);
    if (cut > 0) yield joined.subarray(0, cut);
  }
  if (held.length > 0) yield held;
}

function headerStart(bytes: Uint8Array): number {
  for (let at = Math.max(0, bytes.length - LONGEST_FLAC_HEADER); at < bytes.length; at++) {
    const next = bytes[at + 1];
    if (bytes[at] === 0xff && (next === undefined || (next & 0xfe) === 0xf8)) return at;
  }
  return bytes.length;
}
