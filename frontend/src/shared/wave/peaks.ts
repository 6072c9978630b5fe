import { decodePeaks, LEVEL_FACTOR, PEAK_FULL_SCALE, VALUES_PER_CHANNEL, type PeaksLevel } from '@roughmix/contracts/media/peaks.js';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client';
import type { Span } from './span';

/** A level of peaks, aligned with the track's time. */
export interface TimedPeaks {
  readonly columnsPerSecond: number;
  readonly data: PeaksLevel;
}

/** Amplitudes, one entry per pixel column: `min` and `max` from -1 to 1, `rms` from 0 to 1. */
export interface Columns {
  readonly min: Float32Array;
  readonly max: Float32Array;
  readonly rms: Float32Array;
}

/** Where to fetch a file's peaks, and what is known of the file. */
export interface PeaksSource {
  readonly peaksUrl: string;
  readonly levels: number;
  /** Seconds. */
  readonly duration: number;
  /** Samples per second; null if unknown. */
  readonly sampleRate: number | null;
}

/** A whole track of length 1, for pictures without a time axis. */
export const asWholeTrack = (data: PeaksLevel): TimedPeaks => ({ data, columnsPerSecond: data.columns });

/** Seconds of the track that the peaks cover. */
export const endOf = ({ data, columnsPerSecond }: TimedPeaks): number => data.columns / columnsPerSecond;

/** Derived from the sample rate, or from the duration if the decoder resampled. */
function columnsPerSecondOf(data: PeaksLevel, { duration, sampleRate }: PeaksSource): number {
  const exact = (sampleRate ?? 0) / data.samplesPerColumn;
  return exact > 0 && Math.abs(exact * duration - data.columns) <= 2 ? exact : data.columns / Math.max(duration, Number.EPSILON);
}

export const timedPeaks = (data: PeaksLevel, source: PeaksSource): TimedPeaks => ({ data, columnsPerSecond: columnsPerSecondOf(data, source) });

/** The coarsest level with a column for each device pixel, else the finest level. */
export function levelNeeded(coarsest: TimedPeaks, levels: number, devicePxPerSecond: number): number {
  const steps = Math.ceil(Math.log(devicePxPerSecond / coarsest.columnsPerSecond) / Math.log(LEVEL_FACTOR));
  return Math.min(Math.max(0, Number.isFinite(steps) ? steps : 0), Math.max(0, levels - 1));
}

/** Minimum, maximum and mean square over all channels of the columns from `first` up to, but not including, `last`, in stored units. */
function gather({ values, channels }: PeaksLevel, first: number, last: number): readonly [min: number, max: number, square: number] {
  let min = 0;
  let max = 0;
  let squares = 0;
  const until = last * channels * VALUES_PER_CHANNEL;
  for (let at = first * channels * VALUES_PER_CHANNEL; at < until; at += VALUES_PER_CHANNEL) {
    const low = values[at] ?? 0;
    const high = values[at + 1] ?? 0;
    const rms = values[at + 2] ?? 0;
    if (low < min) min = low;
    if (high > max) max = high;
    squares += rms * rms;
  }
  return [min, max, squares / Math.max(1, (last - first) * channels)];
}

/** Resamples a span of the track to `count` columns; silent outside the track. */
export function columnsOf({ data, columnsPerSecond }: TimedPeaks, span: Span, count: number): Columns {
  const columns: Columns = { min: new Float32Array(count), max: new Float32Array(count), rms: new Float32Array(count) };
  const step = ((span.end - span.start) * columnsPerSecond) / Math.max(1, count);
  const begin = span.start * columnsPerSecond;
  for (let at = 0; at < count; at += 1) {
    const first = Math.max(0, Math.floor(begin + at * step));
    const last = Math.min(data.columns, Math.max(first + 1, Math.floor(begin + (at + 1) * step)));
    if (first >= last) continue;
    const [min, max, square] = gather(data, first, last);
    columns.min[at] = Math.max(-1, min / PEAK_FULL_SCALE);
    columns.max[at] = Math.min(1, max / PEAK_FULL_SCALE);
    columns.rms[at] = Math.min(1, Math.sqrt(square) / PEAK_FULL_SCALE);
  }
  return columns;
}

/** A level of a version's peaks, which never change. Kept while in use and for some minutes after. */
export const levelOf = (peaksUrl: string, level: number) =>
  queryOptions({
    queryKey: ['peaks', peaksUrl, level],
    queryFn: async ({ signal }) => decodePeaks(await api.bytes(`${peaksUrl}?level=${level}`, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
