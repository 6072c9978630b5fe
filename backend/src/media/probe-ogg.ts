import { damaged, notAudio, type AudioFormat } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';
import { layoutByCount } from './channel-layouts.js';
import { readStreamInfo } from './probe-flac.js';

/** Longer than two maximum-size pages, so that the tail contains a whole page header. */
const TAIL = 131_072;
const PAGE_HEADER = 27;
const LONGEST_PAGE_HEADER = PAGE_HEADER + 255;
/** Pages of other streams before the second one of the first stream. */
const MAX_PAGES = 16;

interface OggCodec {
  readonly codec: string;
  readonly decoder: 'oga' | 'opus' | 'flac';
  /** How the second packet, the comments, may begin. */
  readonly comments: readonly string[];
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples before the first audible one. */
  readonly preSkip: number;
}

/** Ogg with Vorbis, Opus or FLAC: the last page's granule position is the length (RFC 3533, RFC 7845). */
export async function readOgg(file: AudioFile, start: number): Promise<AudioFormat> {
  const head = await file.read(start, 512);
  if (head.length < PAGE_HEADER + 1) throw damaged();
  const view = viewOf(head);
  const codec = identify(head.subarray(PAGE_HEADER + view.getUint8(26)));
  const serial = view.getUint32(14, true);
  const second = await secondPacket(file, start, serial);
  if (!codec.comments.some((beginning) => second.startsWith(beginning))) throw notAudio();
  const last = await lastGranule(file, serial);
  return {
    container: 'ogg',
    codec: codec.codec,
    contentType: 'audio/ogg',
    duration: last === null ? null : Math.max(0, last - codec.preSkip) / codec.sampleRate,
    sampleRate: codec.sampleRate,
    layout: layoutByCount(codec.channels),
    decoding: { decoder: codec.decoder, start, end: file.size },
  };
}

function identify(packet: Uint8Array): OggCodec {
  const view = viewOf(packet);
  if (textAt(packet, 0, 8) === 'OpusHead' && packet.length >= 19) {
    return { codec: 'opus', decoder: 'opus', comments: ['OpusTags'], sampleRate: 48_000, channels: view.getUint8(9), preSkip: view.getUint16(10, true) };
  }
  if (textAt(packet, 0, 7) === '\x01vorbis' && packet.length >= 30) {
    const sampleRate = view.getUint32(12, true);
    if (sampleRate === 0) throw notAudio();
    return { codec: 'vorbis', decoder: 'oga', comments: ['\x03vorbis'], sampleRate, channels: view.getUint8(11), preSkip: 0 };
  }
  if (textAt(packet, 0, 5) === '\x7fFLAC' && packet.length >= 51) {
    const { sampleRate, channels } = readStreamInfo(packet.subarray(17));
    return { codec: 'flac', decoder: 'flac', comments: ['\x04', '\x84'], sampleRate, channels, preSkip: 0 };
  }
  throw notAudio();
}

/** The beginning of the stream's second packet, as Latin-1; empty if there is none. No player opens a stream without it. */
async function secondPacket(file: AudioFile, start: number, serial: number): Promise<string> {
  let at = start;
  for (let count = 0; count < MAX_PAGES; count++) {
    const header = await file.read(at, LONGEST_PAGE_HEADER);
    if (header.length < PAGE_HEADER || textAt(header, 0, 4) !== 'OggS') return '';
    const segments = viewOf(header).getUint8(26);
    const lengths = header.subarray(PAGE_HEADER, PAGE_HEADER + segments);
    const body = at + PAGE_HEADER + segments;
    if (count > 0 && viewOf(header).getUint32(14, true) === serial) return textAt(await file.read(body, 8), 0, 8);
    at = body + lengths.reduce((sum, length) => sum + length, 0);
  }
  return '';
}

/** Null if the last page belongs to another stream: chained streams each count from zero. */
async function lastGranule(file: AudioFile, serial: number): Promise<number | null> {
  const tail = await file.read(Math.max(0, file.size - TAIL), TAIL);
  const view = viewOf(tail);
  for (let at = tail.length - PAGE_HEADER; at >= 0; at--) {
    if (view.getUint32(at) !== 0x4f676753 || view.getUint8(at + 4) !== 0) continue;
    const granule = view.getBigInt64(at + 6, true);
    if (granule < 0n) continue;
    return view.getUint32(at + 14, true) === serial && granule > 0n ? Number(granule) : null;
  }
  return null;
}
