import { type AacConfig, NO_SBR, withoutParametricStereo } from './aac-config.js';
import { damaged, notAudio, type AudioFormat, type Decoding } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';
import { boxAt, boxesIn, isVideoTrack, type Content } from './mp4-boxes.js';
import { playedPart } from './mp4-played-part.js';
import { type Mp4Track, readTrack } from './mp4-track.js';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const GAPLESS_TAG = '----:com.apple.iTunes:iTunSMPB';
const MAX_BOXES = 100_000;
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const CHUNK_TABLE_PATH = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
/** Boxes that may begin a QuickTime file. */
const QUICKTIME_STARTS = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
const WHOLE = { start: 0, length: null };
/** The type of a box that readers skip. */
const FREE = new TextEncoder().encode('free');
/** Length of an AAC configuration that leaves SBR open, in bytes. */
const SHORT_CONFIG = 2;
/** The tag of the sync layer descriptor, which is at least three bytes long. */
const SYNC_LAYER = 6;

/** @param head the file's first 12 bytes */
export function isMp4(head: Uint8Array): boolean {
  const type = textAt(head, 4, 4);
  return type === 'ftyp' || QUICKTIME_STARTS.has(type);
}

/** MP4, QuickTime and 3GPP: audio needs an audio track in a known codec and a duration; the latter two are taken for films if they have a video track. */
export async function readMp4(file: AudioFile): Promise<AudioFormat> {
  const boxes = await topBoxes(file);
  const moov = boxes.find(({ type }) => type === 'moov');
  if (!moov) throw damaged();
  const index = await readBoxes(file, [moov]);
  const track = readTrack(index);
  if (!(await isBrandOfAudio(file)) && boxesIn(index.subarray(8), 'trak').some(isVideoTrack)) throw notAudio();
  const { duration, gapless } = await readTags(file, boxes);
  const { codec, sampleRate, layout, aac, sampleBits } = track;
  const played = playedPart(index, gapless, aac?.config.coreRate ?? sampleRate);
  const decoding = await musicFirst(file, boxes, { box: moov, index: aac ? indexForAac(index, track) : index });
  return {
    container: 'mp4',
    codec,
    contentType: 'audio/mp4',
    duration: played?.length ?? (duration === null ? null : Math.max(0, duration - (played?.start ?? 0))),
    sampleRate,
    layout,
    decoding: aac ? { ...decoding, played: played ?? WHOLE, aac: aac.config } : decoding,
    ...(sampleBits === undefined ? {} : { sampleBits }),
  };
}

async function isBrandOfAudio(file: AudioFile): Promise<boolean> {
  const head = await file.read(0, 12);
  const brand = textAt(head, 8, 4);
  return textAt(head, 4, 4) === 'ftyp' && brand !== 'qt  ' && !brand.startsWith('3g');
}

async function readBoxes(file: AudioFile, boxes: readonly Box[]): Promise<Uint8Array> {
  const length = boxes.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length > MAX_INDEX_BYTES) throw notAudio();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const { start, end } of boxes) {
    bytes.set(await file.read(start, end - start), at);
    at += end - start;
  }
  return bytes;
}

interface Tags {
  /** Of the media, in seconds, whatever the edits leave of it. */
  readonly duration: number | null;
  /** The text of iTunes' tag iTunSMPB. */
  readonly gapless: string | null;
}

async function readTags(file: AudioFile, boxes: readonly Box[]): Promise<Tags> {
  // Loaded on demand: most processes never see an MP4.
  const { parseBuffer } = await import('music-metadata');
  const index = await readBoxes(
    file,
    boxes.filter(({ type }) => type === 'moov' || type === 'moof'),
  );
  try {
    const { format, native } = await parseBuffer(index, { mimeType: 'audio/mp4' }, { duration: false, skipCovers: true });
    const gapless: unknown = native['iTunes']?.find(({ id }) => id === GAPLESS_TAG)?.value;
    return { duration: format.duration || null, gapless: typeof gapless === 'string' ? gapless : null };
  } catch {
    // The boxes are intact, so the tags are in disorder or do not state the length.
    return { duration: null, gapless: null };
  }
}

async function topBoxes(file: AudioFile): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= file.size && boxes.length < MAX_BOXES;) {
    const header = await file.read(at, 16);
    const view = viewOf(header);
    const stated = view.getUint32(0);
    const length = stated === 0 ? file.size - at : stated === 1 && header.length === 16 ? Number(view.getBigUint64(8)) : stated;
    if (length < 8 || at + length > file.size) {
      if (isComplete(boxes)) break;
      throw damaged();
    }
    boxes.push({ type: textAt(header, 4, 4), start: at, end: at + length });
    at += length;
  }
  return boxes;
}

/** Players ignore what follows the boxes that they need. */
const isComplete = (boxes: readonly Box[]): boolean => ['moov', 'mdat'].every((type) => boxes.some((box) => box.type === type));

/**
 * Moves the index (moov) before the samples and adjusts its chunk offsets. Otherwise the decoder would buffer the whole file until it reaches the index
 * and then decode it in one piece.
 */
async function musicFirst(file: AudioFile, boxes: readonly Box[], moov: { readonly box: Box; readonly index: Uint8Array }): Promise<Decoding> {
  const { box, index } = moov;
  const samples = boxes.find(({ type }) => type === 'mdat');
  const isFirst = !samples || box.start < samples.start;
  if (!isFirst) moveChunks(index, 0, index.length, index.length);
  const before = await file.read(0, isFirst ? box.start : samples.start);
  const prefix = new Uint8Array(before.length + index.length);
  prefix.set(before);
  prefix.set(index, before.length);
  return { decoder: 'm4a', prefix, ...(isFirst ? { start: box.end, end: file.size } : { start: samples.start, end: box.start }) };
}

/** The index for the decoder: without the edits and tags that it would apply itself, and with a configuration that it supports. */
function indexForAac(index: Uint8Array, { box, aac }: Mp4Track): Uint8Array {
  const patched = index.slice();
  const moov = { bytes: index.subarray(8) };
  const offset = ({ bytes }: Pick<Content, 'bytes'>): number => bytes.byteOffset - index.byteOffset;
  for (const unused of [boxAt(moov, 'udta'), boxAt(box, 'udta'), boxAt(box, 'edts')]) if (unused) patched.set(FREE, offset(unused) - 4);
  if (aac) configureDecoder(patched, offset(aac), aac);
  return patched;
}

/** Rules SBR out where the file leaves it open: the decoder still finds it in the frames. Overwrites the sync layer descriptor, which the decoder does not read. */
function configureDecoder(index: Uint8Array, at: number, { config, bytes }: { readonly config: AacConfig; readonly bytes: Uint8Array }): void {
  // The decoder refuses parametric stereo, though it can play the mono part.
  if (config.hasParametricStereo) index.set(withoutParametricStereo(bytes), at);
  if (config.statesSbr || bytes.length !== SHORT_CONFIG || index[at + SHORT_CONFIG] !== SYNC_LAYER) return;
  index[at - 1] = SHORT_CONFIG + NO_SBR.length;
  index.set(NO_SBR, at + SHORT_CONFIG);
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
