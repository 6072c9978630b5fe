import { Envelope, type EnvelopeShape } from '../dsp/envelope.js';
import { advance, sine } from '../dsp/oscillator.js';
import { addAt, fadePerSample, panGains, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument } from '../score/song.js';

const { max, min } = Math;

/** Cutoff and open in hertz, pluck in seconds (how soon the filter closes), edge from 0 (saw) to 1 (square), vibrato from 0 to 1. */
export type SynthPatch = { cutoff: number; open: number; pluck: number; edge: number; vibrato: number; resonance: number; shape: EnvelopeShape };

/** A parabola per cycle: its derivative is a saw without the jump that would alias (differentiated parabolic wave, Valimaki 2005). */
const bend = (phase: number): number => (2 * phase - 1) * (2 * phase - 1);

/** Two detuned oscillators through one low pass: an arpeggio when plucked, a lead when held. */
export const synth =
  (patch: SynthPatch): Instrument =>
  (track, { at, length, pitch, velocity, pan }) => {
    const start = toSamples(at);
    const envelope = new Envelope(patch.shape, length);
    const end = Math.min(track.left.length, start + envelope.samples);
    const tuned = pitchToHertz(pitch) / SAMPLE_RATE;
    const filter = new StateFilter();
    const close = fadePerSample(patch.pluck) ** 16;
    let open = patch.open * (0.25 + 0.75 * velocity);
    let [first, second, step] = [0, 0.4, tuned];
    let [before, behind, opposite] = [bend(0), bend(0.4), bend(0.5)];
    const [leftGain, rightGain] = panGains(pan);
    for (let index = start; index < end; index++) {
      const since = index - start;
      if ((since & 15) === 0) {
        filter.tune(patch.cutoff + open, patch.resonance);
        open *= close;
        const seconds = since / SAMPLE_RATE;
        step = tuned * (1 + patch.vibrato * 0.009 * min(1, max(0, seconds * 2 - 0.3)) * sine(seconds * 5.7));
      }
      first = advance(first, step);
      second = advance(second, step * 1.0045);
      const parabola = bend(first);
      const other = bend(second);
      const shifted = bend(first < 0.5 ? first + 0.5 : first - 0.5);
      const slope = 1 / (4 * step);
      const bright = (parabola - before + other - behind) * slope;
      const hollow = (parabola - before - shifted + opposite) * slope;
      before = parabola;
      behind = other;
      opposite = shifted;
      filter.step(bright * (1 - patch.edge) + hollow * 1.6 * patch.edge);
      const value = filter.low * envelope.next() * velocity * 0.3;
      addAt(track.left, index, value * leftGain);
      addAt(track.right, index, value * rightGain);
    }
  };
