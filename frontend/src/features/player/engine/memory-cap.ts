import type { Track } from '../player-state';

const MEGABYTE = 1024 * 1024;
const CAP_BYTES = 256 * MEGABYTE;
const PHONE_CAP_BYTES = 96 * MEGABYTE;
const BYTES_PER_FRAME = 2 * Float32Array.BYTES_PER_ELEMENT;
/** The usual sample rate of audio devices, assumed until the context's is known. */
const USUAL_SAMPLE_RATE = 48_000;

/** Upper limit of all decoded audio together, in bytes. */
export const capBytes = (): number => (window.matchMedia('(pointer: coarse)').matches ? PHONE_CAP_BYTES : CAP_BYTES);

/** Size of a track once decoded, in bytes, as stereo. @param sampleRate in Hz */
export const decodedBytes = ({ duration }: Track, sampleRate = USUAL_SAMPLE_RATE): number => duration * sampleRate * BYTES_PER_FRAME;
