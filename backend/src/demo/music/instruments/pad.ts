import { Envelope, type EnvelopeShape } from '../dsp/envelope.js';
import { advance, saw, sine } from '../dsp/oscillator.js';
import { addAt, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseOffset } from '../dsp/random.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument } from '../score/song.js';

/** Cutoff and sway (a slow filter movement) in hertz, spread of the two voices per side in cents. */
export type PadPatch = { cutoff: number; sway: number; spread: number; shape: EnvelopeShape };

/** Two saws on each side, slightly out of tune with each other, under a low pass that breathes. */
export const pad =
  (patch: PadPatch): Instrument =>
  (track, { at, length, pitch, velocity, pan }) => {
    const start = toSamples(at);
    const envelope = new Envelope(patch.shape, length);
    const end = Math.min(track.left.length, start + envelope.samples);
    const step = pitchToHertz(pitch) / SAMPLE_RATE;
    const steps = [-1, 0.55, -0.45, 1.1].map((voice) => step * 2 ** ((voice * patch.spread) / 1200));
    const [first = step, second = step, third = step, fourth = step] = steps;
    const left = new StateFilter();
    const right = new StateFilter();
    const turn = noiseOffset(at, pitch) / 65_536;
    let [a, b, c, d] = [turn, (turn + 0.37) % 1, (turn + 0.61) % 1, (turn + 0.83) % 1];
    for (let index = start; index < end; index++) {
      const since = index - start;
      if ((since & 31) === 0) {
        const sway = sine((since / SAMPLE_RATE) * 0.19 + turn) * patch.sway;
        left.tune(patch.cutoff * (0.7 + 0.3 * velocity) + sway, 0.75);
        right.tune(patch.cutoff * (0.7 + 0.3 * velocity) - sway, 0.75);
      }
      a = advance(a, first);
      b = advance(b, second);
      c = advance(c, third);
      d = advance(d, fourth);
      left.step(saw(a, first) + saw(b, second));
      right.step(saw(c, third) + saw(d, fourth));
      const level = envelope.next() * velocity * 0.25;
      addAt(track.left, index, left.low * level * (1 - 0.35 * pan));
      addAt(track.right, index, right.low * level * (1 + 0.35 * pan));
    }
  };
