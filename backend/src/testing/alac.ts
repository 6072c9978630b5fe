import { createBitWriter } from './bit-writer.js';
import { box, mp4, u32 } from './mp4.js';

/** A generated M4A file with ALAC in frames that are not compressed. */
export interface AlacContent {
  /** Whole numbers of `bits` bits, one array per channel in the order of ALAC (the centre first, if there is one), of equal length. */
  readonly channels: readonly (readonly number[])[];
  readonly bits?: 16 | 20 | 24;
  readonly sampleRate?: number;
}

const FRAME = 4_096;
/** Elements of a frame by the number of channels: how many channels each has. */
const ELEMENTS: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [2],
  3: [1, 2],
  4: [1, 2, 1],
  5: [1, 2, 2],
  6: [1, 2, 2, 1],
  7: [1, 2, 2, 1, 1],
  8: [1, 2, 2, 2, 1],
};
const SINGLE = 0;
const PAIR = 1;
const END = 7;

/** An M4A file of ALAC. */
export function alacFile({ channels, bits = 16, sampleRate = 48_000 }: AlacContent): Uint8Array {
  const samples = channels[0]?.length ?? 0;
  const frames = Array.from({ length: Math.ceil(samples / FRAME) }, (_, at) =>
    frameOf(
      channels.map((channel) => channel.slice(at * FRAME, (at + 1) * FRAME)),
      bits,
    ),
  );
  const config = box('alac', u32(0, FRAME), Uint8Array.of(0, bits, 40, 10, 14, channels.length, 0, 255), u32(0, 0, sampleRate));
  return mp4({ frames, frameSamples: FRAME, samples, sampleRate, entry: { type: 'alac', boxes: [config] } });
}

function frameOf(channels: readonly (readonly number[])[], bits: number): Uint8Array {
  const frame = createBitWriter();
  const length = channels[0]?.length ?? 0;
  let first = 0;
  for (const count of ELEMENTS[channels.length] ?? []) {
    frame.write(3, count === 2 ? PAIR : SINGLE);
    frame.write(16, 0);
    // With the number of samples, none shifted, not compressed.
    frame.write(4, 0b1001);
    frame.write(32, length);
    for (let at = 0; at < length; at++) for (let channel = first; channel < first + count; channel++) frame.write(bits, channels[channel]?.[at] ?? 0);
    first += count;
  }
  frame.write(3, END);
  return frame.bytes();
}
