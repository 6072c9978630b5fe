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
  return { shelf: highShelf(sampleRate), highPass: highPass(sampleRate) };
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

function highPass(sampleRate: number): Biquad {
  const q = 0.5003270373238773;
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
