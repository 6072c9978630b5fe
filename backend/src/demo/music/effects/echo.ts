import { addAt, fromDecibels, type StereoPcm, toSamples } from '../dsp/pcm.js';

/** Time between repeats in seconds, feedback 0 to 1, level in decibels. */
export type EchoSettings = { seconds: number; feedback: number; level: number };

/** Repeats that wander from left to right and grow darker; they also reach the room's send, so that they sit behind the singer. */
export const addEcho = (send: Float32Array, into: StereoPcm, room: Float32Array, settings: EchoSettings): void => {
  const length = toSamples(settings.seconds);
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  const level = fromDecibels(settings.level);
  let [place, dullLeft, dullRight, thin] = [0, 0, 0, 0];
  for (let index = 0; index < into.left.length; index++) {
    const heardLeft = left[place] ?? 0;
    const heardRight = right[place] ?? 0;
    dullLeft += 0.38 * (heardLeft - dullLeft);
    dullRight += 0.38 * (heardRight - dullRight);
    const input = send[index] ?? 0;
    thin += 0.03 * (input - thin);
    left[place] = input - thin + dullRight * settings.feedback;
    right[place] = dullLeft * settings.feedback;
    place = place + 1 === length ? 0 : place + 1;
    addAt(into.left, index, dullLeft * level);
    addAt(into.right, index, dullRight * level * 1.6);
    addAt(room, index, (dullLeft + dullRight) * level * 0.25);
  }
};
