import { fromDecibels, SAMPLE_RATE, type StereoPcm } from '../dsp/pcm.js';
import { StateFilter } from '../dsp/state-filter.js';

/** Shelves below 130 Hz and above 5 kHz (decibels), a rumble filter, and stereo width: 1 is unchanged, 0 is mono. */
export const shapeMaster = (master: StereoPcm, { lowShelf, highShelf, width }: { lowShelf: number; highShelf: number; width: number }): void => {
  const low = fromDecibels(lowShelf) - 1;
  const high = fromDecibels(highShelf) - 1;
  const lowStep = 1 - Math.exp((-2 * Math.PI * 130) / SAMPLE_RATE);
  const highStep = 1 - Math.exp((-2 * Math.PI * 5000) / SAMPLE_RATE);
  const rumble = [new StateFilter().tune(28, 0.7), new StateFilter().tune(28, 0.7)] as const;
  const lows = new Float64Array(2);
  const mids = new Float64Array(2);
  const shape = (value: number, side: 0 | 1): number => {
    rumble[side].step(value);
    const clean = rumble[side].high;
    const under = (lows[side] ?? 0) + lowStep * (clean - (lows[side] ?? 0));
    const mid = (mids[side] ?? 0) + highStep * (clean - (mids[side] ?? 0));
    lows[side] = under;
    mids[side] = mid;
    return clean + under * low + (clean - mid) * high;
  };
  for (let index = 0; index < master.left.length; index++) {
    const left = shape(master.left[index] ?? 0, 0);
    const right = shape(master.right[index] ?? 0, 1);
    const middle = (left + right) / 2;
    const side = ((left - right) / 2) * width;
    master.left[index] = middle + side;
    master.right[index] = middle - side;
  }
};
