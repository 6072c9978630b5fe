import { sine, soften } from '../dsp/oscillator.js';
import { addAt, fadePerSample, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseAt, noiseOffset } from '../dsp/random.js';
import type { Instrument } from '../score/song.js';

/** Tune and sweep in hertz, decay in seconds, click and drive from 0 to 1. */
export type KickPatch = { tune: number; sweep: number; decay: number; click: number; drive: number };

/** A drum whose pitch falls from sweep to tune as it decays, with a beater click in front. */
export const kick =
  (patch: KickPatch): Instrument =>
  (track, { at, pitch, velocity }) => {
    const start = toSamples(at);
    const end = Math.min(track.left.length, start + toSamples(patch.decay * 6));
    const noise = noiseOffset(at, pitch);
    const fall = fadePerSample(0.028);
    const fade = fadePerSample(patch.decay);
    const clickFade = fadePerSample(0.004);
    const push = 1 + 2.5 * patch.drive;
    let bend = patch.sweep * (0.6 + 0.4 * velocity);
    let level = velocity;
    let click = patch.click * velocity;
    let phase = 0;
    for (let index = start; index < end; index++) {
      phase += (patch.tune + bend) / SAMPLE_RATE;
      const value = soften(sine(phase) * level * push) * 0.9 + noiseAt(noise + index - start) * click;
      addAt(track.left, index, value);
      addAt(track.right, index, value);
      bend *= fall;
      level *= fade;
      click *= clickFade;
    }
  };
