import { addAt, fromDecibels, SAMPLE_RATE, type StereoPcm } from '../dsp/pcm.js';

/** Decay is the time in seconds to fall by 60 dB, damping is 0 to 1, level in decibels. */
export type RoomSettings = { decay: number; damping: number; level: number };

/** The room and its send run at half the sample rate: the reverb is dull anyway, and it takes half the time. */
const RATE = SAMPLE_RATE / 2;
const LINES = 8;
const RING = 2048;
const lengths = Int32Array.of(563, 653, 751, 867, 977, 1103, 1237, 1389);
const PREDELAY = Math.round(0.018 * RATE);

/** A reverb of eight delay lines (feedback delay network, Jot 1991), mixed by an energy-preserving Householder reflection. */
export const addRoom = (send: Float32Array, into: StereoPcm, settings: RoomSettings): void => {
  const rings = new Float64Array(LINES * RING);
  const dulled = new Float64Array(LINES);
  const feedback = Float64Array.from(lengths, (length) => 0.001 ** (length / RATE / settings.decay));
  const level = fromDecibels(settings.level) * 0.7;
  const open = 1 - settings.damping * 0.75;
  let [left, right] = [0, 0];
  for (let tick = PREDELAY; 2 * tick < into.left.length; tick++) {
    const index = 2 * tick;
    const input = (send[tick - PREDELAY] ?? 0) + 1e-15;
    let sum = 0;
    for (let line = 0; line < LINES; line++) {
      const heard = rings[line * RING + ((tick - (lengths[line] ?? 0)) & (RING - 1))] ?? 0;
      const dull = dulled[line] ?? 0;
      const next = dull + open * (heard - dull);
      dulled[line] = next;
      sum += next;
    }
    const reflected = sum * (2 / LINES);
    for (let line = 0; line < LINES; line++) rings[line * RING + (tick & (RING - 1))] = input + ((dulled[line] ?? 0) - reflected) * (feedback[line] ?? 0);
    const nextLeft = tapOf(dulled, 0) * level;
    const nextRight = tapOf(dulled, 1) * level;
    addAt(into.left, index - 1, (left + nextLeft) / 2);
    addAt(into.left, index, nextLeft);
    addAt(into.right, index - 1, (right + nextRight) / 2);
    addAt(into.right, index, nextRight);
    left = nextLeft;
    right = nextRight;
  }
};

/** Four lines per side with alternating signs, to decorrelate the sides. */
const tapOf = (lines: Float64Array, side: 0 | 1): number => (lines[side] ?? 0) - (lines[side + 2] ?? 0) + (lines[side + 4] ?? 0) - (lines[side + 6] ?? 0);
