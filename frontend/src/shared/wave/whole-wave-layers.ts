import type { Columns } from './peaks';
import { bar, type Box, type DrawingContext } from './wave-drawing';

/** Minimum and maximum of each column, interleaved, which wavesurfer treats as a channel's samples. */
export type Pairs = ArrayLike<number>;

/** Combines columns that share a pixel. */
export type Fold = (pairs: Pairs, first: number, last: number) => readonly [low: number, high: number];

/** One channel per layer, because wavesurfer has two colours per channel: the peak envelope, and the RMS body within it. */
export function layersOf({ min, max, rms }: Columns): readonly [peakEnvelope: Float32Array, rmsBody: Float32Array] {
  const peakEnvelope = new Float32Array(min.length * 2);
  const rmsBody = new Float32Array(min.length * 2);
  min.forEach((low, at) => {
    const high = max[at] ?? 0;
    const power = rms[at] ?? 0;
    peakEnvelope.set([low, high], at * 2);
    rmsBody.set([Math.max(-power, low), Math.min(power, high)], at * 2);
  });
  return [peakEnvelope, rmsBody];
}

/** Minimum and maximum of the columns: for the peak envelope. */
export const extremes: Fold = (pairs, first, last) => {
  let low = 0;
  let high = 0;
  for (let at = first * 2; at < last * 2; at += 2) {
    low = Math.min(low, pairs[at] ?? 0);
    high = Math.max(high, pairs[at + 1] ?? 0);
  }
  return [low, high];
};

/** RMS of the columns, per side of the zero line: for the RMS body. */
export const power: Fold = (pairs, first, last) => {
  let low = 0;
  let high = 0;
  for (let at = first * 2; at < last * 2; at += 2) {
    low += (pairs[at] ?? 0) ** 2;
    high += (pairs[at + 1] ?? 0) ** 2;
  }
  const count = Math.max(1, last - first);
  return [-Math.sqrt(low / count), Math.sqrt(high / count)];
};

export interface Layer {
  readonly pairs: Pairs;
  readonly fold: Fold;
  /** Length of the track in columns; the last may be partial. */
  readonly columns: number;
}

/** Draws a channel over the whole width in the current fill style, one bar per pixel. */
export function drawLayer(
  context: Pick<DrawingContext, 'fillRect'>,
  { pairs, fold, columns }: Layer,
  { width, ...box }: Box & { readonly width: number },
): void {
  const step = columns / Math.max(1, width);
  for (let x = 0; x < width; x += 1) {
    const first = Math.floor(x * step);
    const [low, high] = fold(pairs, first, Math.max(first + 1, Math.floor((x + 1) * step)));
    const [top, height] = bar(low, high, box);
    context.fillRect(x, top, 1, height);
  }
}
