import { Envelope } from '../dsp/envelope.js';
import { advance, saw, sine, soften, square } from '../dsp/oscillator.js';
import { addAt, fadePerSample, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseAt, noiseOffset } from '../dsp/random.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument } from '../score/song.js';

/** Cutoff and open (the envelope's range) in hertz, pluck in seconds, edge from 0 (saw) to 1 (square). */
export type SynthBassPatch = { cutoff: number; open: number; pluck: number; edge: number; sub: number; resonance: number };

/** A saw and a square through two low passes that close after the attack, over a sub sine. */
export const synthBass =
  (patch: SynthBassPatch): Instrument =>
  (track, { at, length, pitch, velocity }) => {
    const start = toSamples(at);
    const envelope = new Envelope({ attack: 0.004, decay: 0.5, sustain: 0.72, release: 0.03 }, length);
    const end = Math.min(track.left.length, start + envelope.samples);
    const step = pitchToHertz(pitch) / SAMPLE_RATE;
    const first = new StateFilter();
    const second = new StateFilter();
    const close = fadePerSample(patch.pluck) ** 16;
    let open = patch.open * (0.35 + 0.65 * velocity);
    let phase = 0;
    for (let index = start; index < end; index++) {
      if (((index - start) & 15) === 0) {
        first.tune(patch.cutoff + open, patch.resonance);
        second.tune((patch.cutoff + open) * 1.4, 0.6);
        open *= close;
      }
      phase = advance(phase, step);
      first.step(saw(phase, step) * (1 - patch.edge) + square(phase, step) * patch.edge * 0.7);
      second.step(first.low);
      const level = envelope.next() * (0.5 + 0.5 * velocity);
      const value = (soften(second.low * 1.5) * 0.6 + sine(phase) * patch.sub) * level;
      addAt(track.left, index, value);
      addAt(track.right, index, value);
    }
  };

/** A plucked double bass: a sine modulated by its own octave, brightest at the attack, plus the thump of the hand. */
export const uprightBass: Instrument = (track, { at, length, pitch, velocity }) => {
  const start = toSamples(at);
  const envelope = new Envelope({ attack: 0.006, decay: 0.75, sustain: 0.12, release: 0.05 }, length);
  const end = Math.min(track.left.length, start + envelope.samples);
  const step = pitchToHertz(pitch) / SAMPLE_RATE;
  const noise = noiseOffset(at, pitch);
  const thump = new StateFilter().tune(420, 0.9);
  const brightFade = fadePerSample(0.22);
  const thumpFade = fadePerSample(0.016);
  let bright = 0.34 * velocity;
  let hand = 0.9 * velocity;
  let phase = 0;
  for (let index = start; index < end; index++) {
    phase += step;
    thump.step(noiseAt(noise + index - start));
    const string = sine(phase + bright * sine(phase * 2) + 0.05 * sine(phase * 3 + 0.2));
    const value = (string * 0.8 + 0.2 * sine(phase * 2) * bright * 2 + thump.low * hand) * envelope.next() * (0.4 + 0.6 * velocity);
    addAt(track.left, index, value);
    addAt(track.right, index, value);
    bright = 0.09 + (bright - 0.09) * brightFade;
    hand *= thumpFade;
  }
};
