import { decodeChunked } from 'audio-decode/stream';
import type { AacDecoding, AudioFormat, Decoding, PlayedPart } from './audio-format.js';
import type { AudioFile } from './audio-file.js';
import { waveOrder } from './channel-layouts.js';
import { decodeAdts } from './decode-adts.js';

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

/** The next input size, adapted to how many samples the previous input decoded to. */
interface Pace {
  length: number;
  samples: number;
}

/**
 * Decodes in pieces, so memory use does not grow with the file, not even where a few bytes decode to minutes of silence. All channels are in the order of
 * WAV, whatever the codec's own.
 */
export async function* decodeAudio(file: AudioFile, { decoding, layout }: AudioFormat): AsyncGenerator<DecodedPiece> {
  const order = waveOrder(layout);
  const isSorted = order.every((from, channel) => from === channel);
  const whole = decodeWhole(file, decoding);
  const complete = decoding.aac ? completeAac(whole, decoding.aac) : whole;
  for await (const piece of decoding.played ? asPlayed(complete, decoding.played) : complete) {
    const { sampleRate, channelData } = piece;
    // Fewer if the decoder merged identical channels, more with SBR.
    const isKnown = channelData.length === order.length;
    yield isSorted || !isKnown ? piece : { sampleRate, channelData: order.map((from) => channelData[from] ?? new Float32Array(0)) };
  }
}

async function* decodeWhole(file: AudioFile, decoding: Decoding): AsyncGenerator<DecodedPiece> {
  const { decoder, aac } = decoding;
  const pace = { length: MIN_PIECE, samples: 0 };
  const bytes = decoder === 'wav' ? pieces(file, decoding, () => PCM_PIECE) : pieces(file, decoding, () => nextLength(pace));
  const decoded = aac?.config ? decodeAdts(bytes, aac.config) : decodeChunked(decoder === 'flac' ? wholeHeaders(bytes) : bytes, decoder);
  for await (const piece of decoded) {
    pace.samples += piece.channelData[0]?.length ?? 0;
    yield piece;
  }
}

/** Cuts decoded samples to what players play. */
async function* asPlayed(decoded: AsyncIterable<DecodedPiece>, played: PlayedPart): AsyncGenerator<DecodedPiece> {
  let at = 0;
  for await (const { sampleRate, channelData } of decoded) {
    const start = Math.round(played.start * sampleRate);
    const end = played.length === null ? Infinity : start + Math.round(played.length * sampleRate);
    const length = channelData[0]?.length ?? 0;
    const [from, to] = [Math.max(0, start - at), Math.min(length, end - at)];
    if (from < to) yield { sampleRate, channelData: channelData.map((samples) => samples.subarray(from, to)) };
    at += length;
  }
}

/** AAC as players decode it: with silence for the first frame, which the decoder drops, and a mono core with SBR in stereo. */
async function* completeAac(decoded: AsyncIterable<DecodedPiece>, { coreRate, frameSamples }: AacDecoding): AsyncGenerator<DecodedPiece> {
  let isFirst = true;
  for await (const { sampleRate, channelData } of decoded) {
    const [mono] = channelData;
    const channels = channelData.length === 1 && mono && sampleRate > coreRate ? [mono, mono] : channelData;
    if (isFirst) yield { sampleRate, channelData: channels.map(() => new Float32Array(Math.round((frameSamples * sampleRate) / coreRate))) };
    isFirst = false;
    yield { sampleRate, channelData: channels };
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
