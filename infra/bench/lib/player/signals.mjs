// Generated audio files with known samples.
import { sine, wav } from '../../../../backend/dist/testing/wav.js';
import { seeded } from '../../../faults/lib/seeded.mjs';

export const RATE = 48_000;

/** A WAV file of 16 bit at 48 kHz, of one channel or more. */
export const wavOf = (...channelData) => Buffer.from(wav({ channelData, sampleRate: RATE }));

export const tone = (seconds, frequency) => sine({ seconds, frequency, amplitude: 0.5 });

/** White noise that never repeats; another seed is not correlated. */
export function noise(seconds, seed, amplitude = 0.3) {
  const random = seeded(seed);
  return Float32Array.from({ length: Math.round(seconds * RATE) }, () => amplitude * (2 * random() - 1));
}

/** A sweep from 100 to 1,000 Hz and back in `period` seconds: each moment of half a period is unique, and the signal has no steps. */
export function sweep(seconds, period) {
  const samples = new Float32Array(Math.round(seconds * RATE));
  let phase = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const turn = (at / RATE / period) % 1;
    phase += (2 * Math.PI * (100 + 900 * (turn < 0.5 ? 2 * turn : 2 - 2 * turn))) / RATE;
    samples[at] = 0.5 * Math.sin(phase);
  }
  return samples;
}
