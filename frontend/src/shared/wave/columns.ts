import { PEAK_FULL_SCALE, VALUES_PER_CHANNEL, type PeaksLevel } from '@roughmix/contracts/media/peaks.js';

/** One pixel column, relative to full scale: `low` -1 to 0, `high` and `rms` 0 to 1. */
export interface Column {
  readonly low: number;
  readonly high: number;
  readonly rms: number;
}

/** Merges the columns `from` up to `to` over all channels: largest peaks, RMS. */
function columnOf({ values, channels, columns }: PeaksLevel, from: number, to: number): Column {
  let low = 0;
  let high = 0;
  let power = 0;
  let counted = 0;
  for (let column = from; column < Math.min(to, columns); column += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (column * channels + channel) * VALUES_PER_CHANNEL;
      low = Math.min(low, values[at] ?? 0);
      high = Math.max(high, values[at + 1] ?? 0);
      power += (values[at + 2] ?? 0) ** 2;
      counted += 1;
    }
  }
  const rms = counted === 0 ? 0 : Math.sqrt(power / counted);
  return { low: low / PEAK_FULL_SCALE, high: high / PEAK_FULL_SCALE, rms: rms / PEAK_FULL_SCALE };
}

/** Resamples a whole level to one column per pixel. */
export function columnsAcross(level: PeaksLevel, width: number): readonly Column[] {
  const step = level.columns / width;
  return Array.from({ length: width }, (_, x) => {
    const from = Math.floor(x * step);
    return columnOf(level, from, Math.max(from + 1, Math.floor((x + 1) * step)));
  });
}
