/** A second-order filter, normalised so that a0 is 1. */
export interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/**
 * The two filters of ITU-R BS.1770-4, annex 1, for any sample rate, from the analogue prototypes behind the standard's 48 kHz tables.
 * @param sampleRate in Hz
 */
export function kWeighting(sampleRate: number): { readonly shelf: Biquad; readonly highPass: Biquad } {
  return { shelf: highShelf(sampleRate), highPass: lowCut(sampleRate) };
}

function highShelf(sampleRate: number): Biquad {
  const q = 0.7071752369554196;
  const k = Math.tan((Math.PI * 1_681.974450955533) / sampleRate);
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function lowCut(sampleRate: number): Biquad {
  const q = 0.5003270373238773;
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

/** Filters samples[from, to) and returns the sum of their squares. */
export type KFilter = (samples: Float32Array, from: number, to: number) => number;

/**
 * The K-weighting of one channel, with state kept between calls. Allocates nothing per call, so it can run on the audio thread.
 * Both filters are in transposed direct form II, in one loop with local state, because this is the hot path.
 * @param sampleRate in Hz
 */
export function createKFilter(sampleRate: number): KFilter {
  const { shelf, highPass } = kWeighting(sampleRate);
  let [shelf1, shelf2, high1, high2] = [0, 0, 0, 0];
  return (samples, from, to) => {
    let [s1, s2, h1, h2, energy] = [shelf1, shelf2, high1, high2, 0];
    for (let at = from; at < to; at++) {
      const x = samples[at] ?? 0;
      const y = shelf.b0 * x + s1;
      s1 = shelf.b1 * x - shelf.a1 * y + s2;
      s2 = shelf.b2 * x - shelf.a2 * y;
      const z = highPass.b0 * y + h1;
      h1 = highPass.b1 * y - highPass.a1 * z + h2;
      h2 = highPass.b2 * y - highPass.a2 * z;
      energy += z * z;
    }
    shelf1 = flush(s1);
    shelf2 = flush(s2);
    high1 = flush(h1);
    high2 = flush(h2);
    return energy;
  };
}

/** Flush to zero below this: denormal numbers in the tail of a fade are many times slower to process. */
const flush = (value: number): number => (Math.abs(value) < 1e-30 ? 0 : value);
