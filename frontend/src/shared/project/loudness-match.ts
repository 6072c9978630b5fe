/** Anything with an integrated loudness in LUFS; null for silence and until the file is analysed. */
export interface Measurable {
  readonly loudness: number | null;
}

export type Measured<T extends Measurable> = T & { readonly loudness: number };

const isMeasured = <T extends Measurable>(one: T): one is Measured<T> => one.loudness !== null;

/** The quietest, which loudness match turns the others down to; null while fewer than two are measured. */
export function quietestOf<T extends Measurable>(all: readonly T[]): Measured<T> | null {
  const measured = all.filter(isMeasured);
  return measured.length < 2 ? null : measured.reduce((quietest, one) => (one.loudness < quietest.loudness ? one : quietest));
}

/** Decibels that loudness match adds: never above 0, so that it cannot clip. */
export const matchingGainDb = ({ loudness }: Measurable, all: readonly Measurable[]): number =>
  loudness === null ? 0 : Math.min(0, (quietestOf(all)?.loudness ?? loudness) - loudness);
