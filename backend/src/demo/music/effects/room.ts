import { addAt, fromDecibels, SAMPLE_RATE, type StereoPcm } from '../dsp/pcm.js';

/** Decay is the time in seconds to fall by 60 dB, damping 0 to 1 dulls it, level in decibels. */
export type RoomSettings = { decay: number; damping: number; level: number };

const LINES = 8;
const lengths = [1129, 1307, 1499, 1733, 1951, 2203, 2473, 2777] as const;
const PREDELAY = Math.round(0.018 * SAMPLE_RATE);

/** A room: eight delay lines that feed each other (feedback delay network, Jot 1991), mixed by a Hadamard matrix so that no energy is made or lost. */
export const addRoom = (send: Float32Array, into: StereoPcm, settings: RoomSettings): void => {
  const lines = lengths.map((length) => new Float32Array(length));
  const feedback = Float64Array.from(lengths, (length) => 0.001 ** (length / SAMPLE_RATE / settings.decay) / Math.sqrt(LINES));
  const dulled = new Float64Array(LINES);
  const taps = new Float64Array(LINES);
  const places = new Int32Array(LINES);
  const level = fromDecibels(settings.level) * 0.5;
  const open = 1 - settings.damping * 0.85;
  for (let index = PREDELAY; index < into.left.length; index++) {
    const input = send[index - PREDELAY] ?? 0;
    for (let line = 0; line < LINES; line++) {
      const heard = lines[line]?.[places[line] ?? 0] ?? 0;
      const dull = dulled[line] ?? 0;
      const next = dull + open * (heard - dull);
      dulled[line] = next;
      taps[line] = next;
    }
    addAt(into.left, index, ((taps[0] ?? 0) - (taps[2] ?? 0) + (taps[4] ?? 0) - (taps[6] ?? 0)) * level);
    addAt(into.right, index, ((taps[1] ?? 0) - (taps[3] ?? 0) + (taps[5] ?? 0) - (taps[7] ?? 0)) * level);
    mix(taps);
    for (let line = 0; line < LINES; line++) {
      const place = places[line] ?? 0;
      const buffer = lines[line];
      if (buffer) buffer[place] = input + (taps[line] ?? 0) * (feedback[line] ?? 0);
      places[line] = place + 1 === lengths[line] ? 0 : place + 1;
    }
  }
};

/** The Hadamard transform of eight values in place, not yet scaled. */
const mix = (values: Float64Array): void => {
  for (let half = 1; half < LINES; half *= 2)
    for (let block = 0; block < LINES; block += 2 * half)
      for (let index = block; index < block + half; index++) {
        const first = values[index] ?? 0;
        const second = values[index + half] ?? 0;
        values[index] = first + second;
        values[index + half] = first - second;
      }
};
