/** A generated M4A file with ALAC in frames that are not compressed. */
export interface AlacContent {
  /** Whole numbers of `bits` bits, one array per channel (one or two, or six in the order C L R Ls Rs LFE), of equal length. */
  readonly channels: readonly (readonly number[])[];
  readonly bits?: 16 | 20 | 24;
  readonly sampleRate?: number;
}

const FRAME = 4_096;
/** Elements of a frame by the number of channels: how many channels each has. */
const ELEMENTS: Readonly<Record<number, readonly number[]>> = { 1: [1], 2: [2], 6: [1, 2, 2, 1] };
const SINGLE = 0;
const PAIR = 1;
const END = 7;

/** An M4A file of ALAC. */
export function alacFile({ channels, bits = 16, sampleRate = 48_000 }: AlacContent): Uint8Array {
  const length = channels[0]?.length ?? 0;
  const frames = Array.from({ length: Math.ceil(length / FRAME) }, (_, at) =>
    frameOf(
      channels.map((samples) => samples.slice(at * FRAME, (at + 1) * FRAME)),
      bits,
    ),
  );
  const cookie = full('alac', u32(FRAME), [0, bits, 40, 10, 14, channels.length, 0, 255], u32(0), u32(0), u32(sampleRate));
  const entry = box('alac', zeros(6), u16(1), zeros(8), u16(channels.length), u16(16), zeros(4), u32(sampleRate < 65_536 ? sampleRate * 65_536 : 0), cookie);
  const ftyp = box('ftyp', ascii('M4A '), u32(0));
  const tables = (offset: number): Uint8Array =>
    box(
      'stbl',
      full('stsd', u32(1), entry),
      full('stts', u32(2), u32(frames.length - 1), u32(FRAME), u32(1), u32(length - (frames.length - 1) * FRAME)),
      full('stsc', u32(1), u32(1), u32(frames.length), u32(1)),
      full('stsz', u32(0), u32(frames.length), ...frames.map((frame) => u32(frame.length))),
      full('stco', u32(1), u32(offset)),
    );
  const times = [zeros(8), u32(sampleRate), u32(length)];
  const moov = (offset: number): Uint8Array =>
    box(
      'moov',
      full('mvhd', ...times, zeros(80)),
      box(
        'trak',
        full('tkhd', zeros(8), u32(1), zeros(68)),
        box('mdia', full('mdhd', ...times, zeros(4)), full('hdlr', zeros(4), ascii('soun'), zeros(13)), box('minf', tables(offset))),
      ),
    );
  const before = ftyp.length + moov(0).length;
  return joined(ftyp, moov(before + 8), box('mdat', ...frames));
}

function frameOf(channels: readonly (readonly number[])[], bits: number): Uint8Array {
  const written: number[] = [];
  const put = (value: number, width: number): void => {
    for (let bit = width - 1; bit >= 0; bit--) written.push((value >> bit) & 1);
  };
  const length = channels[0]?.length ?? 0;
  let first = 0;
  for (const count of ELEMENTS[channels.length] ?? []) {
    put(count === 2 ? PAIR : SINGLE, 3);
    put(0, 16);
    // With the number of samples, none shifted, not compressed.
    put(0b1001, 4);
    put(length, 32);
    for (let at = 0; at < length; at++) for (let channel = first; channel < first + count; channel++) put(channels[channel]?.[at] ?? 0, bits);
    first += count;
  }
  put(END, 3);
  while (written.length % 8 !== 0) written.push(0);
  return Uint8Array.from({ length: written.length / 8 }, (_, at) => written.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0));
}

type Bytes = Iterable<number>;

const ascii = (text: string): Bytes => new TextEncoder().encode(text);
const zeros = (length: number): Bytes => new Uint8Array(length);
const u16 = (value: number): Bytes => [(value >>> 8) & 0xff, value & 0xff];
const u32 = (value: number): Bytes => [(value / 2 ** 24) & 0xff, (value >>> 16) & 0xff, ...u16(value & 0xffff)];
const joined = (...parts: readonly Bytes[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

function box(type: string, ...parts: readonly Bytes[]): Uint8Array {
  const content = joined(...parts);
  return joined(u32(content.length + 8), ascii(type), content);
}

/** A box with version and flags, all zero. */
const full = (type: string, ...parts: readonly Bytes[]): Uint8Array => box(type, zeros(4), ...parts);
