import { addAt, fromDecibels, type StereoPcm, toSamples } from '../dsp/pcm.js';

/** Time between repeats in seconds, feedback 0 to 1, level in decibels. */
export type EchoSettings = { seconds: number; feedback: number; level: number };

/** Repeats that alternate between left and right and get darker, at half the sample rate like their sends. They also feed the room, so that they sit behind the singer. */
export const addEcho = (send: Float32Array, into: StereoPcm, room: Float32Array, settings: EchoSettings): void => {
  const length = toSamples(settings.seconds / 2);
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  const level = fromDecibels(settings.level);
  let [place, dullLeft, dullRight, thin] = [0, 0, 0, 0];
  for (let index = 1; index < into.left.length; index += 2) {
    const tick = index >> 1;
    const input = (send[tick] ?? 0) + 1e-15;
    const nextLeft = dullLeft + 0.55 * ((left[place] ?? 0) - dullLeft);
    const nextRight = dullRight + 0.55 * ((right[place] ?? 0) - dullRight);
    thin += 0.06 * (input - thin);
    left[place] = input - thin + nextRight * settings.feedback;
    right[place] = nextLeft * settings.feedback;
    place = place + 1 === length ? 0 : place + 1;
    addAt(into.left, index - 1, 0.5 * (dullLeft + nextLeft) * level);
    addAt(into.left, index, nextLeft * level);
    addAt(into.right, index - 1, 0.8 * (dullRight + nextRight) * level);
    addAt(into.right, index, 1.6 * nextRight * level);
    addAt(room, tick, (nextLeft + nextRight) * level * 0.25);
    dullLeft = nextLeft;
    dullRight = nextRight;
  }
};
