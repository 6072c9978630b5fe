const { imul } = Math;

/** Numbers from 0 up to 1 that are the same on every run (mulberry32, public domain, Tommy Ettinger). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const NOISE_LENGTH = 1 << 17;

const fillNoise = (): Float32Array => {
  const random = seeded(9);
  return Float32Array.from({ length: NOISE_LENGTH }, () => random() * 2 - 1);
};

const noise = fillNoise();

/** White noise from a table three seconds long, faster than generating each sample. */
export const noiseAt = (index: number): number => noise[index & (NOISE_LENGTH - 1)] ?? 0;

/** A note's start in the noise table, so that hits differ and runs do not. */
export const noiseOffset = (at: number, pitch: number): number => Math.imul(Math.round(at * 1000) + 17 * Math.round(pitch), 40_503) & 0xffff;
