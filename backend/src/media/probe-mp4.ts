import type { IFormat } from 'music-metadata';
import { readAlacCookie } from './alac-cookie.js';
import { damaged, noCopy, notAudio, type AudioFormat } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';
import { playedPart } from './mp4-played-part.js';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const CODECS: Readonly<Record<string, string>> = {
  'MPEG-4/AAC': 'aac',
  ALAC: 'alac',
  '<Opus>': 'opus',
  '<fLaC>': 'flac',
  'MPEG-1 layer 3': 'mp3',
};
const AUDIO_TRACK = 2;
const GAPLESS_TAG = '----:com.apple.iTunes:iTunSMPB';
const MAX_BOXES = 100_000;
const MAX_MOOV_BYTES = 16 * 1024 * 1024;
const CHUNK_TABLE_PATH = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/** MP4 and QuickTime: audio needs an audio track, a known codec and a duration. */
export async function readMp4(file: AudioFile): Promise<AudioFormat> {
  const boxes = await topBoxes(file);
  const moov = boxes.find((box) => box.type === 'moov');
  if (!moov || moov.end - moov.start > MAX_MOOV_BYTES) throw moov ? notAudio() : damaged();
  const { format, gapless } = await readTracks(file.path);
  const track = format.trackInfo.find((info) => info.type === AUDIO_TRACK || info.audio !== undefined || info.codecName === 'ALAC');
  const codec = CODECS[track?.codecName ?? ''];
  const index = await file.read(moov.start, moov.end - moov.start);
  const alac = codec === 'alac' ? readAlacCookie(index) : null;
  // The track's rate has 16 bits.
  const sampleRate = alac?.sampleRate || track?.audio?.samplingFrequency || format.sampleRate;
  const channels = track?.audio?.channels ?? format.numberOfChannels;
  if (!track) throw notAudio();
  if (!codec) throw noCopy();
  if (!sampleRate || !channels) throw notAudio();
  const feed = await musicFirst(file, boxes, moov);
  const played = playedPart(index, gapless, sampleRate);
  return {
    container: 'mp4',
    codec,
    contentType: 'audio/mp4',
    duration: played?.length ?? (format.duration || null),
    sampleRate,
    channels,
    decoding: { decoder: 'm4a', ...feed, ...(played !== null && codec === 'aac' ? { played } : {}) },
  };
}

interface Tracks {
  readonly format: IFormat;
  /** The text of iTunes' tag iTunSMPB. */
  readonly gapless: string | null;
}

async function readTracks(path: string): Promise<Tracks> {
  // Loaded on demand: most processes never see an MP4.
  const { parseFile } = await import('music-metadata');
  try {
    const { format, native } = await parseFile(path, { duration: false, skipCovers: true });
    const gapless: unknown = native['iTunes']?.find(({ id }) => id === GAPLESS_TAG)?.value;
    return { format, gapless: typeof gapless === 'string' ? gapless : null };
  } catch {
    // The boxes are intact, so a file the parser cannot read holds no audio.
    throw notAudio();
  }
}

async function topBoxes(file: AudioFile): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= file.size && boxes.length < MAX_BOXES;) {
    const header = await file.read(at, 16);
    const view = viewOf(header);
    const stated = view.getUint32(0);
    const length = stated === 0 ? file.size - at : stated === 1 && header.length === 16 ? Number(view.getBigUint64(8)) : stated;
    if (length < 8 || at + length > file.size) throw damaged();
    boxes.push({ type: textAt(header, 4, 4), start: at, end: at + length });
    at += length;
  }
  return boxes;
}

/**
 * Moves the index (moov) before the samples and adjusts its chunk offsets. Otherwise the decoder would buffer the whole file until it reaches the index
 * and then decode it in one piece.
 */
async function musicFirst(file: AudioFile, boxes: readonly Box[], moov: Box): Promise<{ prefix: Uint8Array; start: number; end: number }> {
  const samples = boxes.find((box) => box.type === 'mdat');
  if (!samples || moov.start < samples.start) return { prefix: await file.read(0, moov.end), start: moov.end, end: file.size };
  const index = await file.read(moov.start, moov.end - moov.start);
  moveChunks(index, 0, index.length, index.length);
  const before = await file.read(0, samples.start);
  const prefix = new Uint8Array(before.length + index.length);
  prefix.set(before);
  prefix.set(index, before.length);
  return { prefix, start: samples.start, end: moov.start };
}

/** Adds `by` to every offset in the chunk tables (stco, co64: ISO/IEC 14496-12, 8.7.5) within [from, to) of the index. */
function moveChunks(index: Uint8Array, from: number, to: number, by: number): void {
  const view = viewOf(index);
  for (let at = from; at + 8 <= to;) {
    const length = view.getUint32(at) || to - at;
    const type = textAt(index, at + 4, 4);
    if (length < 8 || at + length > to) throw damaged();
    if (CHUNK_TABLE_PATH.has(type)) moveChunks(index, at + 8, at + length, by);
    const width = type === 'stco' ? 4 : type === 'co64' ? 8 : 0;
    const entries = width > 0 ? Math.min(view.getUint32(at + 12), (length - 16) / width) : 0;
    for (let entry = 0; entry < entries; entry++) {
      const place = at + 16 + entry * width;
      if (width === 4) view.setUint32(place, view.getUint32(place) + by);
      else view.setBigUint64(place, view.getBigUint64(place) + BigInt(by));
    }
    at += length;
  }
}
