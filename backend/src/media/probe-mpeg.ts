import { adtsConfig, layoutInFrame } from './aac-config.js';
import { damaged, noCopy, notAudio, type AudioFormat, type Decoding } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';
import { adtsPayload, firstFrame, type MpegFrame, type MpegWalk, walkFrames } from './mpeg-frames.js';

/** How far after the tags players look for the first frame. */
const SEARCH = 65_536;
/** Room for the frames that must follow it. */
const FOLLOWING = 8_192;
/** Shorter runs of frames with another number of channels may be false matches in other data. In seconds. */
const MIN_OTHER_SECONDS = 0.25;
/** Tolerance for a byte count, which may include a tag that was later removed from the end of the file. */
const TAG_SLACK = 2_048;

/** What every MP3 decoder adds before the first sample. */
const DECODER_DELAY = 529;

/** A Xing, Info or VBRI header. Counts of 0 are unknown ones. */
interface HeaderCounts {
  readonly frames: number | null;
  readonly bytes: number | null;
  /** Encoder delay and padding in samples, which players skip; null for encoders whose field players ignore. */
  readonly added: { readonly before: number; readonly after: number } | null;
}

/** MP3 and AAC in ADTS, after no more junk than players skip. */
export async function readMpeg(file: AudioFile, start: number): Promise<AudioFormat> {
  const head = await file.read(start, SEARCH + FOLLOWING);
  const first = firstFrame(head, start + head.length >= file.size);
  if (!first || first.at > SEARCH) throw notAudio();
  const { frame } = first;
  const at = start + first.at;
  const found: FirstFrame = { file, at, frame, bytes: await file.read(at, frame.length) };
  return frame.kind === 'mp3' ? readMp3(found, first.at === 0) : readAdts(found);
}

interface FirstFrame {
  readonly file: AudioFile;
  readonly at: number;
  readonly frame: MpegFrame;
  readonly bytes: Uint8Array;
}

/**
 * The counts of a Xing, Info or VBRI header are compared with the file's size; without a header the frames are counted. As in players, a header counts only
 * right after the tags, and is a frame of silence elsewhere.
 */
async function readMp3(found: FirstFrame, isAfterTags: boolean): Promise<AudioFormat> {
  const { file, at, frame, bytes } = found;
  const header = readHeaderCounts(bytes, frame);
  const counts = isAfterTags ? header : null;
  const walk = await walkFrames(file, at, frame);
  // Browsers stop where mono turns to stereo.
  if (walk.otherSamples / frame.sampleRate > MIN_OTHER_SECONDS) throw noCopy();
  return {
    container: 'mpeg',
    codec: 'mp3',
    contentType: 'audio/mpeg',
    duration: samplesOf(found, counts, walk) / frame.sampleRate,
    sampleRate: frame.sampleRate,
    layout: frame.layout,
    decoding: mp3Decoding(found, header, counts),
  };
}

/** Whether players skip the header's frame. They play one without counts as silence. */
const isSkipped = (counts: HeaderCounts | null): boolean => counts !== null && (counts.frames !== null || counts.bytes !== null);

/** Unlike players, the decoder trusts a header anywhere in the file and the padding of any encoder, and decodes a VBRI header as a frame of silence. */
function mp3Decoding({ file, at, frame, bytes }: FirstFrame, header: HeaderCounts | null, counts: HeaderCounts | null): Decoding {
  const end = file.size;
  if (!header || (counts?.frames && counts.added)) return { decoder: 'mp3', start: at, end };
  const start = at + frame.length;
  const played = counts?.added ? { played: { start: (counts.added.before + DECODER_DELAY) / frame.sampleRate, length: null } } : {};
  if (isSkipped(counts)) return { decoder: 'mp3', start, end, ...played };
  return { decoder: 'mp3', prefix: bytes.slice().fill(0, frame.xingAt), start, end, ...played };
}

async function readAdts({ file, at, frame, bytes }: FirstFrame): Promise<AudioFormat> {
  const { sampleRate, samples, configuration } = frame;
  return {
    container: 'adts',
    codec: 'aac',
    contentType: 'audio/aac',
    duration: (await walkFrames(file, at, frame)).samples / sampleRate,
    sampleRate,
    layout: (configuration === 0 ? layoutInFrame(adtsPayload(bytes, 0, frame)) : null) ?? frame.layout,
    decoding: {
      decoder: 'aac',
      start: at,
      end: file.size,
      played: { start: 0, length: null },
      aac: { coreRate: sampleRate, frameSamples: samples, config: adtsConfig(sampleRate, configuration) },
    },
  };
}

function samplesOf({ file, at, frame }: FirstFrame, counts: HeaderCounts | null, walk: MpegWalk): number {
  if (!counts) return walk.samples;
  const { frames, bytes, added } = counts;
  if (bytes !== null && at + bytes > file.size + TAG_SLACK) throw damaged();
  const skipped = added === null ? 0 : frames === null ? added.before + DECODER_DELAY : added.before + added.after;
  if (bytes !== null && frames !== null) return Math.max(0, frames * frame.samples - skipped);
  const found = isSkipped(counts) ? walk.samples - frame.samples : walk.samples;
  if (frames !== null && frames * frame.samples - found > frame.sampleRate / 2) throw damaged();
  return Math.max(0, found - skipped);
}

function readHeaderCounts(bytes: Uint8Array, frame: MpegFrame): HeaderCounts | null {
  const view = viewOf(bytes);
  const isXing = ['Xing', 'Info'].includes(textAt(bytes, frame.xingAt, 4)) && bytes.length >= frame.xingAt + 8;
  if (isXing) return readXing(bytes, frame.xingAt);
  if (textAt(bytes, 36, 4) !== 'VBRI' || bytes.length < 54) return null;
  return { bytes: view.getUint32(46) || null, frames: view.getUint32(50) || null, added: null };
}

function readXing(bytes: Uint8Array, start: number): HeaderCounts {
  const view = viewOf(bytes);
  const flags = view.getUint32(start + 4);
  let at = start + 8;
  const next = (flag: number, length: number): number | null => {
    if (!(flags & flag) || at + length > bytes.length) return null;
    at += length;
    return view.getUint32(at - length) || null;
  };
  const frames = next(1, 4);
  const size = next(2, 4);
  next(4, 100);
  next(8, 4);
  const hasDelays = /^(LAME|Lav[cf])/.test(textAt(bytes, at, 4)) && at + 24 <= bytes.length;
  const delays = hasDelays ? view.getUint32(at + 20) & 0xffffff : 0;
  return { frames, bytes: size, added: hasDelays ? { before: delays >>> 12, after: delays & 0xfff } : null };
}
