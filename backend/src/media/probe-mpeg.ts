import { damaged, notAudio, type AudioFormat } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';
import { firstFrame, walkFrames, type MpegFrame } from './mpeg-frames.js';

/** How far after the tags the first frame may be. */
const SEARCH = 16_384;
/** Tolerance for a byte count, which may include a tag that was later removed from the end of the file. */
const TAG_SLACK = 2_048;

interface HeaderCounts {
  readonly frames: number | null;
  readonly bytes: number | null;
  /** Encoder delay and padding in samples, which players skip; null for encoders whose field players ignore. */
  readonly added: number | null;
}

/** MP3 and AAC in ADTS. The counts of a Xing, Info or VBRI header are compared with the file's size; without a header the frames are counted. */
export async function readMpeg(file: AudioFile, start: number): Promise<AudioFormat> {
  const head = await file.read(start, SEARCH);
  const first = firstFrame(head, start + head.length >= file.size);
  if (!first) throw notAudio();
  const { frame } = first;
  const at = start + first.at;
  const isMp3 = frame.kind === 'mp3';
  const counts = isMp3 ? readHeaderCounts(await file.read(at, frame.length), frame) : null;
  // The decoder trusts any encoder's padding and decodes a VBRI header as a frame of silence; players do neither.
  const isHeaderSkipped = counts !== null && counts.added === null;
  return {
    container: isMp3 ? 'mpeg' : 'adts',
    codec: frame.kind,
    contentType: isMp3 ? 'audio/mpeg' : 'audio/aac',
    duration: (await countSamples(file, { at, frame, counts })) / frame.sampleRate,
    sampleRate: frame.sampleRate,
    channels: frame.channels,
    decoding: {
      decoder: frame.kind,
      start: isHeaderSkipped ? at + frame.length : at,
      end: file.size,
      ...(isMp3 ? {} : { played: { start: 0, length: null } }),
    },
  };
}

interface FirstFrame {
  readonly at: number;
  readonly frame: MpegFrame;
  readonly counts: HeaderCounts | null;
}

async function countSamples(file: AudioFile, { at, frame, counts }: FirstFrame): Promise<number> {
  if (!counts) return (await walkFrames(file, at, frame)).samples;
  if (counts.bytes !== null && at + counts.bytes > file.size + TAG_SLACK) throw damaged();
  if (counts.bytes !== null && counts.frames !== null) return Math.max(0, counts.frames * frame.samples - (counts.added ?? 0));
  // The frame with the header is not audio.
  const walk = await walkFrames(file, at + frame.length, frame);
  if (counts.frames !== null && (counts.frames - walk.frames) * frame.samples > frame.sampleRate / 2) throw damaged();
  return Math.max(0, walk.samples - (counts.added ?? 0));
}

function readHeaderCounts(bytes: Uint8Array, frame: MpegFrame): HeaderCounts | null {
  const view = viewOf(bytes);
  const isXing = ['Xing', 'Info'].includes(textAt(bytes, frame.xingAt, 4)) && bytes.length >= frame.xingAt + 8;
  if (isXing) return readXing(bytes, frame.xingAt);
  if (textAt(bytes, 36, 4) === 'VBRI' && bytes.length >= 54) return { bytes: view.getUint32(46), frames: view.getUint32(50), added: null };
  return null;
}

function readXing(bytes: Uint8Array, start: number): HeaderCounts {
  const view = viewOf(bytes);
  const flags = view.getUint32(start + 4);
  let at = start + 8;
  const next = (flag: number, length: number): number | null => {
    if (!(flags & flag) || at + length > bytes.length) return null;
    at += length;
    return view.getUint32(at - length);
  };
  const frames = next(1, 4);
  const size = next(2, 4);
  next(4, 100);
  next(8, 4);
  const hasDelays = /^(LAME|Lav[cf])/.test(textAt(bytes, at, 4)) && at + 24 <= bytes.length;
  const delays = hasDelays ? view.getUint32(at + 20) & 0xffffff : 0;
  return { frames, bytes: size, added: hasDelays ? (delays >>> 12) + (delays & 0xfff) : null };
}
