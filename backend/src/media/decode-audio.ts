import { decodeChunked } from 'audio-decode/stream';
import type { AudioFormat, Decoding, PlayedPart } from './audio-format.js';
import type { AudioFile } from './audio-file.js';

/** Some decoded samples, one array per channel, all of equal length. */
export interface DecodedPiece {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
}

const WINDOW = 1 << 20;
const MIN_PIECE = 1 << 9;
const MAX_PIECE = 1 << 14;
const PCM_PIECE = 1 << 18;
/** Target maximum of samples per channel in a decoded piece: a few seconds. */
const MAX_SAMPLES = 1 << 18;
const LONGEST_FLAC_HEADER = 16;
const AAC_FRAME = 1_024;

/** The next input size, adapted to how many samples the previous input decoded to. */
interface Pace {
  length: number;
  samples: number;
}

/** Decodes in pieces, so memory use does not grow with the file, not even where a few bytes decode to minutes of silence. */
export async function* decodeAudio(file: AudioFile, format: AudioFormat): AsyncGenerator<DecodedPiece> {
  const { played } = format.decoding;
  const decoded = decodeWhole(file, format);
  yield* played === undefined ? decoded : asPlayed(decoded, played, format.sampleRate);
}

async function* decodeWhole(file: AudioFile, format: AudioFormat): AsyncGenerator<DecodedPiece> {
  const { decoder } = format.decoding;
  const pace = { length: MIN_PIECE, samples: 0 };
  const bytes = decoder === 'wav' ? pieces(file, format.decoding, () => PCM_PIECE) : pieces(file, format.decoding, () => nextLength(pace));
  for await (const piece of decodeChunked(decoder === 'flac' ? wholeHeaders(bytes) : bytes, decoder)) {
    pace.samples += piece.channelData[0]?.length ?? 0;
    yield piece;
  }
}

/**
 * Aligns decoded AAC with players. The decoder drops the first frame, so its missing samples are replaced by silence. Audio with SBR, which is decoded at
 * twice the rate, is unchanged.
 */
async function* asPlayed(decoded: AsyncIterable<DecodedPiece>, { start, length }: PlayedPart, mediaRate: number): AsyncGenerator<DecodedPiece> {
  let left = Infinity;
  let isFirst = true;
  for await (const piece of decoded) {
    const { sampleRate, channelData } = piece;
    if (isFirst && sampleRate === mediaRate) {
      const missing = Math.max(0, AAC_FRAME - Math.round(start * sampleRate));
      left = (length === null ? Infinity : Math.round(length * sampleRate)) - missing;
      if (missing > 0) yield { sampleRate, channelData: channelData.map(() => new Float32Array(missing)) };
    }
    isFirst = false;
    const samples = channelData[0]?.length ?? 0;
    if (left > 0) yield samples <= left ? piece : { sampleRate, channelData: channelData.map((channel) => channel.subarray(0, left)) };
    left -= samples;
  }
}

function nextLength(pace: Pace): number {
  pace.length = pace.samples > MAX_SAMPLES ? MIN_PIECE : Math.min(MAX_PIECE, pace.length * 2);
  pace.samples = 0;
  return pace.length;
}

async function* pieces(file: AudioFile, { prefix, start, end }: Decoding, next: () => number): AsyncGenerator<Uint8Array> {
  if (prefix) yield prefix;
  for (let at = start; at < end; at += WINDOW) {
    const window = await file.read(at, Math.min(WINDOW, end - at));
    for (let from = 0; from < window.length;) {
      const piece = window.subarray(from, from + next());
      from += piece.length;
      yield piece;
    }
  }
}

/** The decoder misses a frame whose header is split between pieces, so a possible header start at the end of a piece moves to the next one. */
async function* wholeHeaders(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
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
