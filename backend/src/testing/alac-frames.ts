import { createBitWriter } from './bit-writer.js';

/** Samples per frame. */
const FRAME = 4_096;
const TAGS = { 1: 0, 2: 1 } as const;
const LOW = 3;
const END = 7;
/** Channels per element, by count; the last element of 6, 7 and 8 is the low-frequency channel. */
const ELEMENTS: Readonly<Record<number, readonly (1 | 2)[]>> = {
  1: [1],
  2: [2],
  3: [1, 2],
  4: [1, 2, 1],
  5: [1, 2, 2],
  6: [1, 2, 2, 1],
  7: [1, 2, 2, 1, 1],
  8: [1, 2, 2, 2, 1],
};

export interface AlacFrames {
  /** The content of the `alac` box. */
  readonly cookie: Uint8Array;
  readonly frames: readonly Uint8Array[];
  readonly frameSamples: number;
}

/** Uncompressed 16-bit ALAC. The channels are in the order of its elements: centre, left, right, and so on. */
export function alacFrames(channelData: readonly Float32Array[], sampleRate = 48_000): AlacFrames {
  const length = channelData[0]?.length ?? 0;
  const frames = Array.from({ length: Math.ceil(length / FRAME) }, (_, frame) =>
    alacFrame(channelData.map((samples) => samples.subarray(frame * FRAME, (frame + 1) * FRAME))),
  );
  const cookie = createBitWriter();
  for (const [width, value] of [
    [32, 0],
    [32, FRAME],
    [8, 0],
    [8, 16],
    [8, 40],
    [8, 10],
    [8, 14],
    [8, channelData.length],
    [16, 255],
    [32, 0],
    [32, 0],
  ] as const) {
    cookie.write(width, value);
  }
  cookie.write(32, sampleRate);
  return { cookie: cookie.bytes(), frames, frameSamples: FRAME };
}

function alacFrame(channelData: readonly Float32Array[]): Uint8Array {
  const bits = createBitWriter();
  const samples = channelData[0]?.length ?? 0;
  let channel = 0;
  for (const [index, width] of (ELEMENTS[channelData.length] ?? []).entries()) {
    const isLow = channelData.length > 5 && channel === channelData.length - 1;
    bits.write(3, isLow ? LOW : TAGS[width]);
    bits.write(4, index);
    bits.write(12, 0);
    bits.write(4, 0b1001); // the frame's length follows, the samples are not compressed
    bits.write(32, samples);
    const element = channelData.slice(channel, channel + width);
    for (let at = 0; at < samples; at++) for (const one of element) bits.write(16, Math.round((one[at] ?? 0) * 32_767) & 0xffff);
    channel += width;
  }
  bits.write(3, END);
  return bits.bytes();
}
