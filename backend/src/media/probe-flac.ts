import { damaged, notAudio, type AudioFormat } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';
import { layoutByCount, layoutByMask, type Layout } from './channel-layouts.js';
import { countFlacSamples } from './flac-frames.js';

/** The fields of a STREAMINFO block (RFC 9639, section 8.2). */
export interface StreamInfo {
  readonly sampleRate: number;
  readonly channels: number;
  /** Per channel; null if unknown. */
  readonly totalSamples: number | null;
}

const MAX_BLOCKS = 1_000;
const MIN_BLOCK_SAMPLES = 16;
const MIN_SAMPLE_BITS = 4;
const STREAM_INFO = 0;
const COMMENTS = 4;
/** As much of the comments as is searched; pictures are in blocks of their own. */
const MAX_COMMENT_BYTES = 1 << 16;
const MASK = /WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x([\da-f]{1,8})/i;

/** FLAC: the duration is taken from STREAMINFO, or counted where it is not there; only decoding shows whether all frames are. */
export async function readFlac(file: AudioFile, start: number): Promise<AudioFormat> {
  const head = await file.read(start + 4, 38);
  if (head.length < 38 || (viewOf(head).getUint8(0) & 0x7f) !== STREAM_INFO) throw notAudio();
  const info = readStreamInfo(head.subarray(4));
  const { comments, end } = await readBlocks(file, start + 4);
  const samples = info.totalSamples ?? (await countFlacSamples(file, end));
  return {
    container: 'flac',
    codec: 'flac',
    contentType: 'audio/flac',
    duration: samples === null ? null : samples / info.sampleRate,
    sampleRate: info.sampleRate,
    layout: flacLayout(info, comments),
    decoding: { decoder: 'flac', start, end: file.size },
  };
}

/** Other layouts than the usual one of their count are in a comment (RFC 9639, section 8.6.2). */
export function flacLayout({ channels }: StreamInfo, comments: Uint8Array): Layout {
  const [, mask] = MASK.exec(textAt(comments, 0, comments.length)) ?? [];
  return mask === undefined ? layoutByCount(channels) : layoutByMask(Number.parseInt(mask, 16), channels);
}

/** @param block the 34 bytes of the block, without its header */
export function readStreamInfo(block: Uint8Array): StreamInfo {
  if (block.length < 34) throw notAudio();
  const view = viewOf(block);
  const packed = view.getUint32(10);
  const sampleRate = packed >>> 12;
  const sampleBits = ((view.getUint16(12) >>> 4) & 31) + 1;
  const [least, most] = [view.getUint16(0), view.getUint16(2)];
  if (sampleRate === 0 || sampleBits < MIN_SAMPLE_BITS || most < MIN_BLOCK_SAMPLES || least > most) throw notAudio();
  const totalSamples = (view.getUint8(13) & 0x0f) * 2 ** 32 + view.getUint32(14);
  return { sampleRate, channels: ((packed >>> 9) & 7) + 1, totalSamples: totalSamples || null };
}

/** Walks the metadata blocks. @returns the comments, and where the frames start */
async function readBlocks(file: AudioFile, first: number): Promise<{ readonly comments: Uint8Array; readonly end: number }> {
  let comments = new Uint8Array(0);
  let at = first;
  for (let count = 0; count < MAX_BLOCKS; count++) {
    const header = await file.read(at, 4);
    if (header.length < 4) throw damaged();
    const packed = viewOf(header).getUint32(0);
    const length = packed & 0xffffff;
    if (((packed >>> 24) & 0x7f) === COMMENTS) comments = Uint8Array.from(await file.read(at + 4, Math.min(length, MAX_COMMENT_BYTES)));
    at += 4 + length;
    if (at > file.size) throw damaged();
    if (packed >>> 31 === 1) return { comments, end: at };
  }
  throw notAudio();
}
