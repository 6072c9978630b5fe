import { type BitWriter, createBitWriter } from './bit-writer.js';

/** An element of AAC LC: one channel, a pair, or the low-frequency channel. */
type Element = 'single' | 'pair' | 'low';

/** The elements of each channel configuration, in the order of the stream (ISO/IEC 14496-3, table 1.19); those of 0 are described in each frame: 2.1. */
const ELEMENTS: Readonly<Record<number, readonly Element[]>> = {
  0: ['pair', 'low'],
  1: ['single'],
  2: ['pair'],
  3: ['single', 'pair'],
  4: ['single', 'pair', 'single'],
  5: ['single', 'pair', 'pair'],
  6: ['single', 'pair', 'pair', 'low'],
  7: ['single', 'pair', 'pair', 'pair', 'low'],
};
const TAGS = { single: 0, pair: 1, low: 3 } as const;
const PROGRAM = 5;
const FILL = 6;
const END = 7;
/** A header and no envelope: sbr_extension_data of one channel (ISO/IEC 14496-3, 4.4.2.8). */
const SBR = [0xdd, 0xe0, 0, 0x20, 0, 0, 0, 0, 7, 0];
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];
/** Spectral lines of the first scale factor band. */
const firstBand = (sampleRate: number): number => (sampleRate > 16_000 ? 4 : sampleRate > 8_000 ? 8 : 12);

export interface AacFrame {
  readonly configuration: number;
  readonly sampleRate?: number;
  /** The channels that sound, counted as in the stream; the others are silent. */
  readonly sounding?: readonly number[];
  /** Whether SBR doubles the rate of its core of 22.05 kHz; with nothing in the upper half. */
  readonly hasSbr?: boolean;
}

/** One frame of AAC LC, 1,024 samples: the lowest spectral line in each sounding channel, digital silence in the others. */
export function aacFrame({ configuration, sampleRate = 48_000, sounding = [], hasSbr = false }: AacFrame): Uint8Array {
  const bits = createBitWriter();
  const instances = { single: 0, pair: 0, low: 0 };
  let channel = 0;
  if (configuration === 0) writeProgram(bits, sampleRate);
  for (const element of ELEMENTS[configuration] ?? []) {
    bits.write(3, TAGS[element]);
    bits.write(4, instances[element]++);
    if (element === 'pair') bits.write(1, 0);
    for (let count = element === 'pair' ? 2 : 1; count > 0; count--) writeChannel(bits, sounding.includes(channel++) ? firstBand(sampleRate) : 0);
  }
  if (hasSbr) {
    bits.write(3, FILL);
    bits.write(4, SBR.length);
    for (const byte of SBR) bits.write(8, byte);
  }
  bits.write(3, END);
  return bits.bytes();
}

/** A program_config_element of a pair in front and a low-frequency channel. */
function writeProgram(bits: BitWriter, sampleRate: number): void {
  bits.write(3, PROGRAM);
  bits.write(4, 0);
  bits.write(2, 1); // LC
  bits.write(4, RATES.indexOf(sampleRate));
  bits.write(4 + 4 + 4, 1 << 8); // one front element, none at the sides or behind
  bits.write(2 + 3 + 4, 1 << 7); // one low-frequency element
  bits.write(3, 0); // nothing mixed down
  bits.write(1 + 4, 1 << 4); // the front element is a pair
  bits.write(4, 0);
  bits.align();
  bits.write(8, 0); // no comment
}

/** An individual_channel_stream of one long window; the line is a 1 in codebook 1, whose codes are 0 for four zeros and 16 (5 bits) for 1, 0, 0, 0. */
function writeChannel(bits: BitWriter, lines: number): void {
  bits.write(8, 180); // global_gain
  bits.write(1 + 2 + 1, 0); // a long window
  bits.write(6, lines > 0 ? 1 : 0); // scale factor bands
  bits.write(1, 0); // no prediction
  if (lines > 0) {
    bits.write(4, 1); // codebook 1
    bits.write(5, 1); // for one band
    bits.write(1, 0); // with the global gain
  }
  bits.write(3, 0); // no pulses, noise shaping or gain control
  if (lines === 0) return;
  bits.write(5, 16);
  bits.write(lines / 4 - 1, 0);
}

/** LC's configuration for MP4, two bytes that leave SBR open. */
export const aacConfig = (sampleRate: number, configuration: number): Uint8Array => {
  const bits = createBitWriter();
  bits.write(5, 2);
  bits.write(4, RATES.indexOf(sampleRate));
  bits.write(4, configuration);
  bits.write(3, 0);
  return bits.bytes();
};

/** Frames of raw AAC as an ADTS stream. */
export function adts(
  frames: readonly Uint8Array[],
  { sampleRate, configuration }: { readonly sampleRate: number; readonly configuration: number },
): Uint8Array {
  return Uint8Array.from(
    frames.flatMap((frame) => {
      const bits = createBitWriter();
      bits.write(16, 0xfff1);
      bits.write(2, 1); // LC
      bits.write(4, RATES.indexOf(sampleRate));
      bits.write(1, 0);
      bits.write(3, configuration);
      bits.write(4, 0);
      bits.write(13, frame.length + 7);
      bits.write(11, 0x7ff);
      bits.write(2, 0);
      return [...bits.bytes(), ...frame];
    }),
  );
}
