import { AAC_RATES } from './aac-config.js';
import { viewOf, type AudioFile } from './audio-file.js';
import { aacLayout, layoutByCount, type Layout } from './channel-layouts.js';

/** A frame of MPEG audio layer III or of AAC in ADTS. */
export interface MpegFrame {
  readonly kind: 'mp3' | 'aac';
  /** In bytes, header included. */
  readonly length: number;
  /** Per channel. */
  readonly samples: number;
  readonly sampleRate: number;
  readonly layout: Layout;
  /** AAC's channel configuration; 0 leaves the layout to the first frame. */
  readonly configuration: number;
  /** Offset of a Xing header within the frame, in bytes. */
  readonly xingAt: number;
}

/** The result of counting all frames. */
export interface MpegWalk {
  readonly samples: number;
  readonly frames: number;
  /** Samples in frames with another number of channels than the first. */
  readonly otherSamples: number;
}

const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MPEG1_RATES = [44_100, 48_000, 32_000];
/** Of the header of a frame of AAC, without its checksum; an MP3's is shorter. */
export const ADTS_HEADER_BYTES = 7;
const WINDOW = 1 << 18;

/** The frame whose header is at `at`, or null (ISO/IEC 11172-3, 13818-3; ADTS: ISO/IEC 14496-3, annex 1.A). */
export function frameAt(bytes: Uint8Array, at: number): MpegFrame | null {
  if (at + ADTS_HEADER_BYTES > bytes.length || bytes[at] !== 0xff) return null;
  const header = viewOf(bytes).getUint32(at);
  const layer = (header >>> 17) & 3;
  if ((header & 0xffe00000) >>> 0 !== 0xffe00000) return null;
  return layer === 1 ? layer3(header) : (header & 0xfff60000) >>> 0 === 0xfff00000 ? adts(bytes, at) : null;
}

function layer3(header: number): MpegFrame | null {
  const version = (header >>> 19) & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const kbps = (version === 3 ? MPEG1_KBPS : MPEG2_KBPS)[(header >>> 12) & 15];
  const rate = MPEG1_RATES[(header >>> 10) & 3];
  if (version === 1 || !kbps || !rate) return null;
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = version === 3 ? 1_152 : 576;
  const padding = (header >>> 9) & 1;
  const mono = ((header >>> 6) & 3) === 3;
  const sideInfo = version === 3 ? (mono ? 17 : 32) : mono ? 9 : 17;
  const length = Math.floor((samples / 8) * ((kbps * 1_000) / sampleRate)) + padding;
  return { kind: 'mp3', length, samples, sampleRate, layout: layoutByCount(mono ? 1 : 2), configuration: 0, xingAt: 4 + sideInfo };
}

function adts(bytes: Uint8Array, at: number): MpegFrame | null {
  const view = viewOf(bytes);
  const sampleRate = AAC_RATES[(view.getUint8(at + 2) >>> 2) & 15];
  const configuration = (view.getUint16(at + 2) >>> 6) & 7;
  const length = (view.getUint32(at + 3) >>> 13) & 0x1fff;
  if (!sampleRate || length < ADTS_HEADER_BYTES) return null;
  const samples = 1_024 * ((view.getUint8(at + 6) & 3) + 1);
  return { kind: 'aac', length, samples, sampleRate, layout: aacLayout(configuration) ?? layoutByCount(2), configuration, xingAt: 0 };
}

/** The raw data of a frame of AAC at `at`, after its header and the checksum that may follow it. */
export function adtsPayload(bytes: Uint8Array, at: number, { length }: MpegFrame): Uint8Array {
  const hasChecksum = ((bytes[at + 1] ?? 0) & 1) === 0;
  return bytes.subarray(at + ADTS_HEADER_BYTES + (hasChecksum ? 2 : 0), at + length);
}

/** Whether both frames belong to one stream, by the fields that never change within one. */
const isSameStream = (one: MpegFrame, other: MpegFrame): boolean =>
  one.kind === other.kind && one.sampleRate === other.sampleRate && one.samples === other.samples;

/** The first frame: one followed by more of its stream, or by the end of the file. Null if these bytes hold none. */
export function firstFrame(bytes: Uint8Array, isWholeFile: boolean): { readonly at: number; readonly frame: MpegFrame } | null {
  for (let at = 0; at + ADTS_HEADER_BYTES <= bytes.length; at++) {
    const frame = frameAt(bytes, at);
    if (frame && isFollowed(bytes, at, frame, isWholeFile)) return { at, frame };
  }
  return null;
}

function isFollowed(bytes: Uint8Array, first: number, frame: MpegFrame, isWholeFile: boolean): boolean {
  let at = first + frame.length;
  for (let seen = 1; seen < 4; seen++) {
    const next = frameAt(bytes, at);
    if (!next) return seen > 1 && isWholeFile && at >= bytes.length;
    if (!isSameStream(frame, next)) return false;
    at += next.length;
  }
  return true;
}

/** Counts the whole frames from `start`, skipping other data between them. */
export async function walkFrames(file: AudioFile, start: number, like: MpegFrame): Promise<MpegWalk> {
  let samples = 0;
  let frames = 0;
  let otherSamples = 0;
  for (let from = start; from < file.size;) {
    const bytes = await file.read(from, WINDOW);
    const isLast = from + bytes.length >= file.size;
    let at = 0;
    while (at + ADTS_HEADER_BYTES <= bytes.length) {
      const frame = frameAt(bytes, at);
      if (!frame || !isSameStream(frame, like)) {
        at++;
        continue;
      }
      if (at + frame.length > bytes.length) break;
      samples += frame.samples;
      if (frame.layout.length !== like.layout.length) otherSamples += frame.samples;
      frames++;
      at += frame.length;
    }
    if (isLast || at === 0) break;
    from += at;
  }
  return { samples, frames, otherSamples };
}
