import type { StereoPcm } from './dsp/pcm.js';
import { seeded } from './dsp/random.js';

const { max, min, round } = Math;

const HEADER = 44;
const FULL_SCALE = 32_767;

/** A WAV file with 16 bits per sample and triangular dither, which turns rounding errors into faint hiss. */
export const encodeWav16 = ({ sampleRate, left, right }: StereoPcm): Buffer => {
  const dataBytes = left.length * 4;
  const file = Buffer.alloc(HEADER + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  const random = seeded(16);
  const rounded = (value: number): number => {
    const dithered = round(value * FULL_SCALE + random() - random());
    return max(-32_768, min(FULL_SCALE, dithered));
  };
  for (let index = 0; index < left.length; index++) {
    file.writeInt16LE(rounded(left[index] ?? 0), HEADER + index * 4);
    file.writeInt16LE(rounded(right[index] ?? 0), HEADER + index * 4 + 2);
  }
  return file;
};
