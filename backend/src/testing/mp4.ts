import { text } from './bytes.js';

/** Big-endian numbers of 32 bits. */
export const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 * values.length);
  values.forEach((value, at) => new DataView(bytes.buffer).setInt32(4 * at, value));
  return bytes;
};
const u16 = (...values: readonly number[]): Uint8Array => Uint8Array.from(values.flatMap((value) => [value >>> 8, value & 0xff]));

export const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const length = content.reduce((sum, part) => sum + part.length, 8);
  const bytes = new Uint8Array(length);
  bytes.set(u32(length));
  bytes.set(text(type), 4);
  let at = 8;
  for (const part of content) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** Coded audio for an MP4. */
export interface Mp4 {
  readonly frames: readonly Uint8Array[];
  /** Of each frame, at `sampleRate`, which is also the track's timescale. */
  readonly frameSamples: number;
  /** Of all frames, if the last one has fewer. */
  readonly samples?: number;
  readonly sampleRate: number;
  /** The type of the sample entry, and the boxes that configure its decoder. */
  readonly entry: { readonly type: string; readonly boxes: readonly Uint8Array[] };
  /** The first sample that is played. */
  readonly editFrom?: number;
  /** The type of file; empty for none. */
  readonly brand?: string;
  readonly hasVideo?: boolean;
}

/** The sample entry of AAC. */
export const aacEntry = (config: Uint8Array): Mp4['entry'] => ({ type: 'mp4a', boxes: [esds(config)] });

function esds(config: Uint8Array): Uint8Array {
  const specific = Uint8Array.of(5, config.length, ...config);
  const decoder = Uint8Array.of(4, 13 + specific.length, 0x40, 0x15, ...new Uint8Array(11), ...specific);
  return box('esds', u32(0), Uint8Array.of(3, 3 + decoder.length + 3, 0, 1, 0, ...decoder, 6, 1, 2));
}

/** A file whose samples are in fragments of one frame each, as recorders in browsers write it. */
export function fragmentedMp4(options: Mp4): Uint8Array {
  const { frames, frameSamples } = options;
  const extended = box('mvex', box('trex', u32(0, 1, 1, 0, 0, 0)));
  const fragments = frames.map((frame, at) => {
    const run = (offset: number): Uint8Array => box('trun', u32(0x201, 1, offset, frame.length));
    const fragment = (offset: number): Uint8Array =>
      box('moof', box('mfhd', u32(0, at + 1)), box('traf', box('tfhd', u32(0x020008, 1, frameSamples)), run(offset)));
    return [...fragment(fragment(0).length + 8), ...box('mdat', frame)];
  });
  return Uint8Array.from([...fileType(options), ...index({ ...options, frames: [] }, 0, extended), ...fragments.flat()]);
}

/** A whole file: its type, its index, its samples. The sample entry says 2 channels, as most do. */
export function mp4(options: Mp4): Uint8Array {
  const type = fileType(options);
  const samples = box('mdat', ...options.frames);
  const offset = type.length + index(options, 0).length + 8;
  return Uint8Array.from([...type, ...index(options, offset), ...samples]);
}

const samplesOf = ({ frames, frameSamples, samples = frames.length * frameSamples }: Mp4): number => samples;

/** Old QuickTime files have none. */
function fileType({ brand = 'M4A ' }: Mp4): Uint8Array {
  return brand === '' ? new Uint8Array(0) : box('ftyp', text(brand), u32(512), text(brand));
}

function index(options: Mp4, offset: number, extended: Uint8Array = new Uint8Array(0)): Uint8Array {
  const { sampleRate, editFrom } = options;
  const length = samplesOf(options);
  const edits = editFrom === undefined ? [] : [box('edts', box('elst', u32(0, 1, Math.max(0, length - editFrom), editFrom, 0x10000)))];
  const track = box(
    'trak',
    box('tkhd', u32(0, 0, 0, 1, 0, length), new Uint8Array(60)),
    ...edits,
    box('mdia', box('mdhd', u32(0, 0, 0, sampleRate, length, 0)), handler('soun'), box('minf', sampleTables(options, offset))),
  );
  const video = options.hasVideo ? [box('trak', box('mdia', handler('vide')))] : [];
  return box('moov', box('mvhd', u32(0, 0, 0, sampleRate, length, 0), new Uint8Array(76)), ...video, track, extended);
}

const handler = (type: string): Uint8Array => box('hdlr', u32(0, 0), text(type), u32(0, 0, 0));

function sampleTables(options: Mp4, offset: number): Uint8Array {
  const { frames, frameSamples, sampleRate, entry } = options;
  const description = box(entry.type, u16(0, 0, 0, 1), u32(0, 0), u16(2, 16, 0, 0, sampleRate & 0xffff, 0), ...entry.boxes);
  const sizes = frames.map(({ length }) => length);
  /** A table without rows where the samples are in fragments. */
  const table = (type: string, ...rows: readonly (readonly number[])[]): Uint8Array =>
    box(type, u32(0, ...(sizes.length > 0 ? [rows.length, ...rows.flat()] : [0])));
  const before = sizes.length - 1;
  return box(
    'stbl',
    box('stsd', u32(0, 1), description),
    table('stts', [before, frameSamples], [1, samplesOf(options) - before * frameSamples]),
    table('stsc', [1, sizes.length, 1]),
    box('stsz', u32(0, 0, sizes.length, ...sizes)),
    table('stco', [offset]),
  );
}
