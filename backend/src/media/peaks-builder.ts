import { columnsFor, encodePeaks, FINEST_SAMPLES_PER_COLUMN, levelsFor, PEAK_FULL_SCALE, VALUES_PER_CHANNEL } from '@roughmix/contracts/media/peaks.js';

export interface PeaksBuilder {
  /** Appends samples, one array per channel, all of equal length. */
  push(channelData: readonly Float32Array[]): void;
  /** Every level as stored, coarsest first; call once, after all samples. */
  encode(): readonly Uint8Array[];
}

/** One channel's columns of 256 samples, 6 bytes each, growing as samples arrive. */
interface ChannelColumns {
  min: Int8Array;
  max: Int8Array;
  squares: Float32Array;
}

/** Builds all peak levels of a file without keeping its samples. */
export function createPeaksBuilder(channels: number): PeaksBuilder {
  const channelColumns: ChannelColumns[] = Array.from({ length: channels }, () => emptyColumns(1_024));
  const open = Array.from({ length: channels }, () => ({ min: Infinity, max: -Infinity, squares: 0 }));
  let total = 0;

  const close = (stored: ChannelColumns, column: number, index: number): void => {
    const current = open[index];
    if (!current) return;
    if (column >= stored.min.length) growColumns(stored);
    stored.min[column] = quantise(current.min);
    stored.max[column] = quantise(current.max);
    stored.squares[column] = current.squares;
    open[index] = { min: Infinity, max: -Infinity, squares: 0 };
  };

  const pushChannel = (stored: ChannelColumns, index: number, samples: Float32Array): void => {
    for (let from = 0; from < samples.length;) {
      const filled = (total + from) % FINEST_SAMPLES_PER_COLUMN;
      const to = Math.min(samples.length, from + FINEST_SAMPLES_PER_COLUMN - filled);
      const current = open[index];
      if (current) accumulate(current, samples, from, to);
      if (filled + to - from === FINEST_SAMPLES_PER_COLUMN) close(stored, Math.floor((total + from) / FINEST_SAMPLES_PER_COLUMN), index);
      from = to;
    }
  };

  return {
    push(channelData) {
      channelColumns.forEach((stored, index) => pushChannel(stored, index, channelData[index] ?? new Float32Array(channelData[0]?.length ?? 0)));
      total += channelData[0]?.length ?? 0;
    },
    encode() {
      const partial = Math.floor(total / FINEST_SAMPLES_PER_COLUMN);
      if (total % FINEST_SAMPLES_PER_COLUMN > 0) channelColumns.forEach((stored, index) => close(stored, partial, index));
      return levelsFor(total).map((samplesPerColumn) => encodeLevel(channelColumns, total, samplesPerColumn));
    },
  };
}

const emptyColumns = (columns: number): ChannelColumns => ({ min: new Int8Array(columns), max: new Int8Array(columns), squares: new Float32Array(columns) });

function growColumns(stored: ChannelColumns): void {
  const larger = emptyColumns(stored.min.length * 2);
  larger.min.set(stored.min);
  larger.max.set(stored.max);
  larger.squares.set(stored.squares);
  Object.assign(stored, larger);
}

function accumulate(column: { min: number; max: number; squares: number }, samples: Float32Array, from: number, to: number): void {
  let { min, max, squares } = column;
  for (let at = from; at < to; at++) {
    const sample = samples[at] ?? 0;
    if (sample < min) min = sample;
    if (sample > max) max = sample;
    squares += sample * sample;
  }
  column.min = min;
  column.max = max;
  column.squares = squares;
}

/** Decoded lossy audio may exceed full scale; NaN is drawn as silence. */
function quantise(value: number): number {
  return Math.round(Math.max(-1, Math.min(1, value || 0)) * PEAK_FULL_SCALE);
}

function encodeLevel(channelColumns: readonly ChannelColumns[], total: number, samplesPerColumn: number): Uint8Array {
  const channels = channelColumns.length;
  const columns = columnsFor(total, samplesPerColumn);
  const finestColumns = columnsFor(total, FINEST_SAMPLES_PER_COLUMN);
  const factor = samplesPerColumn / FINEST_SAMPLES_PER_COLUMN;
  const values = new Int8Array(columns * channels * VALUES_PER_CHANNEL);
  channelColumns.forEach((stored, channel) => {
    for (let column = 0; column < columns; column++) {
      const from = column * factor;
      const merged = mergeColumns(stored, from, Math.min(finestColumns, from + factor));
      const samples = Math.min(samplesPerColumn, total - column * samplesPerColumn);
      values.set([merged.min, merged.max, quantise(Math.sqrt(merged.squares / samples))], (column * channels + channel) * VALUES_PER_CHANNEL);
    }
  });
  return encodePeaks({ channels, samplesPerColumn, columns, values });
}

function mergeColumns(stored: ChannelColumns, from: number, to: number): { min: number; max: number; squares: number } {
  let min = PEAK_FULL_SCALE;
  let max = -PEAK_FULL_SCALE;
  let squares = 0;
  for (let at = from; at < to; at++) {
    min = Math.min(min, stored.min[at] ?? 0);
    max = Math.max(max, stored.max[at] ?? 0);
    squares += stored.squares[at] ?? 0;
  }
  return { min, max, squares };
}
