import { damaged, notAudio, type AudioFormat } from './audio-format.js';
import { viewOf, type AudioFile } from './audio-file.js';

/** The fields of a STREAMINFO block (RFC 9639, section 8.2). */
export interface StreamInfo {
  readonly sampleRate: number;
  readonly channels: number;
  /** Per channel; null if unknown. */
  readonly totalSamples: number | null;
}

const MAX_BLOCKS = 1_000;

/** FLAC: the duration is taken from STREAMINFO; only decoding shows whether all frames are there. */
export async function readFlac(file: AudioFile, start: number): Promise<AudioFormat> {
  const head = await file.read(start + 4, 38);
  if (head.length < 38 || (viewOf(head).getUint8(0) & 0x7f) !== 0) throw notAudio();
  const info = readStreamInfo(head.subarray(4));
  await checkBlocks(file, start + 4);
  return {
    container: 'flac',
    codec: 'flac',
    contentType: 'audio/flac',
    duration: info.totalSamples === null ? null : info.totalSamples / info.sampleRate,
    sampleRate: info.sampleRate,
    channels: info.channels,
    decoding: { decoder: 'flac', start, end: file.size },
  };
}

/** @param block the 34 bytes of the block, without its header */
export function readStreamInfo(block: Uint8Array): StreamInfo {
  if (block.length < 34) throw notAudio();
  const view = viewOf(block);
  const packed = view.getUint32(10);
  const sampleRate = packed >>> 12;
  if (sampleRate === 0) throw notAudio();
  const totalSamples = (view.getUint8(13) & 0x0f) * 2 ** 32 + view.getUint32(14);
  return { sampleRate, channels: ((packed >>> 9) & 7) + 1, totalSamples: totalSamples || null };
}

async function checkBlocks(file: AudioFile, first: number): Promise<void> {
  let at = first;
  for (let count = 0; count < MAX_BLOCKS; count++) {
    const header = await file.read(at, 4);
    if (header.length < 4) throw damaged();
    const packed = viewOf(header).getUint32(0);
    at += 4 + (packed & 0xffffff);
    if (at > file.size) throw damaged();
    if (packed >>> 31 === 1) return;
  }
  throw notAudio();
}
