import { Envelope, type EnvelopeShape } from '../dsp/envelope.js';
import { sine } from '../dsp/oscillator.js';
import { addAt, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseOffset } from '../dsp/random.js';
import type { Instrument } from '../score/song.js';

const { PI, exp, min } = Math;

/** Cutoff and sway (a slow filter movement) in hertz, spread of the two voices per side in cents. */
export type PadPatch = { cutoff: number; sway: number; spread: number; shape: EnvelopeShape };

/** Both sides of one note before the filter, at half the sample rate; long enough for the longest note of any song. */
const leftSaws = new Float32Array(SAMPLE_RATE * 8);
const rightSaws = new Float32Array(SAMPLE_RATE * 8);

/** Two slightly detuned saws per side through a low pass that moves slowly. Dull enough to compute only every second sample. */
export const pad =
  (patch: PadPatch): Instrument =>
  (track, { at, length, pitch, velocity, pan }) => {
    const start = toSamples(at);
    const envelope = new Envelope(halved(patch.shape), length / 2);
    const steps = min(envelope.samples, leftSaws.length, (track.left.length - start) >> 1);
    const step = (2 * pitchToHertz(pitch)) / SAMPLE_RATE;
    const cents = 2 ** (patch.spread / 1200);
    const turn = noiseOffset(at, pitch) / 65_536;
    twoSaws(leftSaws, steps, [step / cents, step * cents ** 0.55], turn);
    twoSaws(rightSaws, steps, [step * cents ** 1.1, step / cents ** 0.45], (turn + 0.61) % 1);
    const cutoff = patch.cutoff * (0.7 + 0.3 * velocity);
    let [left, right, softLeft, softRight] = [0, 0, 0, 0];
    let [openLeft, openRight, beforeLeft, beforeRight] = [0, 0, 0, 0];
    for (let tick = 0; tick < steps; tick++) {
      if ((tick & 31) === 0) {
        const sway = sine(((2 * tick) / SAMPLE_RATE) * 0.19 + turn) * patch.sway;
        openLeft = openness(cutoff + sway);
        openRight = openness(cutoff - sway);
      }
      left += openLeft * ((leftSaws[tick] ?? 0) - left);
      right += openRight * ((rightSaws[tick] ?? 0) - right);
      softLeft += openLeft * (left - softLeft);
      softRight += openRight * (right - softRight);
      const level = envelope.next() * velocity * 0.25;
      const nowLeft = softLeft * level * (1 - 0.35 * pan);
      const nowRight = softRight * level * (1 + 0.35 * pan);
      const index = start + 2 * tick;
      addAt(track.left, index, (beforeLeft + nowLeft) / 2);
      addAt(track.right, index, (beforeRight + nowRight) / 2);
      addAt(track.left, index + 1, nowLeft);
      addAt(track.right, index + 1, nowRight);
      beforeLeft = nowLeft;
      beforeRight = nowRight;
    }
  };

/** Saws as the derivative of a parabola, which has no jump that would alias (differentiated parabolic wave, Valimaki 2005). */
const twoSaws = (into: Float32Array, count: number, [first, second]: readonly [number, number], turn: number): void => {
  let [x, y] = [2 * turn - 1, 2 * ((turn + 0.37) % 1) - 1];
  let [before, behind] = [x * x, y * y];
  const [gain, weight] = [1 / (4 * first), 1 / (4 * second)];
  for (let index = 0; index < count; index++) {
    x += 2 * first;
    if (x >= 1) x -= 2;
    y += 2 * second;
    if (y >= 1) y -= 2;
    const now = x * x;
    const other = y * y;
    into[index] = (now - before) * gain + (other - behind) * weight;
    before = now;
    behind = other;
  }
};

/** The coefficient of a one-pole low pass at half the sample rate; two in series have a lower cutoff, hence the factor 1.4. */
const openness = (hertz: number): number => 1 - exp((-2 * PI * 1.4 * hertz * 2) / SAMPLE_RATE);

const halved = ({ attack, decay, sustain, release }: EnvelopeShape): EnvelopeShape => ({
  attack: attack / 2,
  decay: decay / 2,
  sustain,
  release: release / 2,
});
