import { Envelope, type EnvelopeShape } from '../dsp/envelope.js';
import { advance, saw, sine } from '../dsp/oscillator.js';
import { addAt, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseOffset } from '../dsp/random.js';
import type { Instrument } from '../score/song.js';

const { PI, exp } = Math;

/** Cutoff and sway (a slow filter movement) in hertz, spread of the two voices per side in cents. */
export type PadPatch = { cutoff: number; sway: number; spread: number; shape: EnvelopeShape };

/** Two saws on each side, slightly out of tune with each other, under a low pass that breathes. Dull enough to be computed at every second sample only. */
export const pad =
  (patch: PadPatch): Instrument =>
  (track, { at, length, pitch, velocity, pan }) => {
    const start = toSamples(at);
    const envelope = new Envelope(halved(patch.shape), length / 2);
    const end = Math.min(track.left.length, start + 2 * envelope.samples);
    const step = (2 * pitchToHertz(pitch)) / SAMPLE_RATE;
    const steps = [-1, 0.55, -0.45, 1.1].map((voice) => step * 2 ** ((voice * patch.spread) / 1200));
    const [first = step, second = step, third = step, fourth = step] = steps;
    const turn = noiseOffset(at, pitch) / 65_536;
    let [a, b, c, d] = [turn, (turn + 0.37) % 1, (turn + 0.61) % 1, (turn + 0.83) % 1];
    let [left, right, softLeft, softRight] = [0, 0, 0, 0];
    let [openLeft, openRight, beforeLeft, beforeRight] = [0, 0, 0, 0];
    for (let index = start; index < end; index += 2) {
      const since = index - start;
      if ((since & 63) === 0) {
        const sway = sine((since / SAMPLE_RATE) * 0.19 + turn) * patch.sway;
        openLeft = openness(patch.cutoff * (0.7 + 0.3 * velocity) + sway);
        openRight = openness(patch.cutoff * (0.7 + 0.3 * velocity) - sway);
      }
      a = advance(a, first);
      b = advance(b, second);
      c = advance(c, third);
      d = advance(d, fourth);
      left += openLeft * (saw(a, first) + saw(b, second) - left);
      right += openRight * (saw(c, third) + saw(d, fourth) - right);
      softLeft += openLeft * (left - softLeft);
      softRight += openRight * (right - softRight);
      const level = envelope.next() * velocity * 0.25;
      const nowLeft = softLeft * level * (1 - 0.35 * pan);
      const nowRight = softRight * level * (1 + 0.35 * pan);
      addAt(track.left, index, (beforeLeft + nowLeft) / 2);
      addAt(track.right, index, (beforeRight + nowRight) / 2);
      addAt(track.left, index + 1, nowLeft);
      addAt(track.right, index + 1, nowRight);
      beforeLeft = nowLeft;
      beforeRight = nowRight;
    }
  };

/** How far a low pass of one pole moves towards its input in a step of half the sample rate; two of them in a row reach their cutoff a little later, hence the 1.4. */
const openness = (hertz: number): number => 1 - exp((-2 * PI * 1.4 * hertz * 2) / SAMPLE_RATE);

const halved = ({ attack, decay, sustain, release }: EnvelopeShape): EnvelopeShape => ({ attack: attack / 2, decay: decay / 2, sustain, release: release / 2 });
