/** Measures the highest absolute value of the signal, including peaks between samples. */
export interface TruePeakMeter {
  push(channelData: readonly Float32Array[]): void;
  /** Linear; 1 is full scale. */
  peak(): number;
}

const TAPS_EACH_SIDE = 6;
const HISTORY = 2 * TAPS_EACH_SIDE - 1;
const BLOCK = 16;
const { abs } = Math;

/**
 * Oversamples to at least 192 kHz by a windowed sinc of 12 taps per phase (ITU-R BS.1770-4, annex 2).
 * Skips blocks that cannot exceed the highest value so far, given the sum of the filter's taps: the result is the same, with much less work.
 */
export function createTruePeakMeter(sampleRate: number, channels: number): TruePeakMeter {
  const phases = interpolators(sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1);
  const gain = Math.max(1, ...phases.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));
  const pasts = Array.from({ length: channels }, () => new Float32Array(HISTORY));
  let peak = 0;

  return {
    push(channelData) {
      pasts.forEach((past, channel) => {
        const samples = channelData[channel];
        if (!samples || samples.length === 0) return;
        const joined = new Float32Array(HISTORY + samples.length);
        joined.set(past);
        joined.set(samples, HISTORY);
        peak = highest(joined, { phases, gain, peak });
        past.set(joined.subarray(joined.length - HISTORY));
      });
    },
    peak: () => peak,
  };
}

/** The filters for the points between two samples; a point on a sample needs none. */
function interpolators(factor: number): readonly Float64Array[] {
  return Array.from({ length: factor - 1 }, (_, phase) => {
    const fraction = (phase + 1) / factor;
    const taps = Float64Array.from({ length: 2 * TAPS_EACH_SIDE }, (_tap, at) => {
      const distance = at - (TAPS_EACH_SIDE - 1) - fraction;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / TAPS_EACH_SIDE);
      return (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window;
    });
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  });
}

interface Search {
  readonly phases: readonly Float64Array[];
  readonly gain: number;
  readonly peak: number;
}

function highest(joined: Float32Array, { phases, gain, peak: before }: Search): number {
  let peak = before;
  for (let from = 0; from + HISTORY < joined.length; from += BLOCK) {
    const end = Math.min(joined.length, from + BLOCK + HISTORY);
    let reach = 0;
    for (let at = from; at < end; at++) {
      const value = abs(joined[at] ?? 0);
      if (value > reach) reach = value;
    }
    if (reach * gain <= peak) continue;
    if (reach > peak) peak = reach;
    for (const taps of phases) {
      for (let at = from; at + HISTORY < end; at++) {
        const value = abs(convolve(joined, at, taps));
        if (value > peak) peak = value;
      }
    }
  }
  return peak;
}

function convolve(samples: Float32Array, from: number, taps: Float64Array): number {
  let sum = 0;
  for (let tap = 0; tap < taps.length; tap++) sum += (samples[from + tap] ?? 0) * (taps[tap] ?? 0);
  return sum;
}
