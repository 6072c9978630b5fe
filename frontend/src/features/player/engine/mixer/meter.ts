import { createShortTermMeter } from '@roughmix/contracts/media/loudness.js';

export interface MeterReading {
  readonly shortTerm: number | null;
  readonly peak: number;
}

export interface PlayheadMeter {
  push(left: Float32Array, right: Float32Array): void;
  /** Of mono audio, the standard counts one channel. */
  setMono(isMono: boolean): void;
  /** The peak is that since the last reading. */
  read(): MeterReading;
  /** After a seek. */
  reset(): void;
}

export function createPlayheadMeter(sampleRate: number): PlayheadMeter {
  let loudness = createShortTermMeter(sampleRate);
  let peak = 0;
  const stereo: Float32Array[] = [];
  let channels = 2;
  return {
    push(left, right) {
      peak = peakOf(right, peakOf(left, peak));
      stereo.length = channels;
      stereo[0] = left;
      if (channels === 2) stereo[1] = right;
      loudness.push(stereo);
    },
    setMono(isMono) {
      channels = isMono ? 1 : 2;
    },
    read() {
      const reading = { shortTerm: loudness.loudness(), peak };
      peak = 0;
      return reading;
    },
    reset() {
      loudness = createShortTermMeter(sampleRate);
      peak = 0;
    },
  };
}

function peakOf(samples: Float32Array, atLeast: number): number {
  let peak = atLeast;
  for (const sample of samples) {
    if (sample > peak) peak = sample;
    else if (-sample > peak) peak = -sample;
  }
  return peak;
}
