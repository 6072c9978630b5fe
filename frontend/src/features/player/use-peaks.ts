import { useEffect, useState } from 'react';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { fetchPeaks, levelNeeded, type PeaksSource, settledPeaks, type TimedPeaks } from './peaks';

/** Where a version's peaks lie; null until they stand. */
export const peaksSourceOf = (version: VersionView | null): PeaksSource | null =>
  version && version.peaksUrl !== null && version.peaksLevels > 0
    ? { peaksUrl: version.peaksUrl, levels: version.peaksLevels, duration: version.duration, sampleRate: version.analysis?.sampleRate ?? null }
    : null;

export interface Peaks {
  /** Level 0, for the whole track. */
  readonly coarsest: TimedPeaks;
  /** The finest that has come and is wanted. */
  readonly best: TimedPeaks;
}

interface Held extends Peaks {
  readonly source: PeaksSource;
}

function settledOf(source: PeaksSource): Peaks | null {
  const coarsest = settledPeaks(source, 0);
  return coarsest ? { coarsest, best: coarsest } : null;
}

/**
 * A version's peaks: the coarsest as soon as there are any, then the level that so many device pixels a second need. null: draw the zero line alone.
 * @param source kept the same object between draws
 */
export function usePeaks(source: PeaksSource | null, devicePxPerSecond: number): Peaks | null {
  const [held, setHeld] = useState<Held | null>(null);
  const current = source && (held?.source === source ? held : settledOf(source));
  const wanted = source && current ? levelNeeded(current.coarsest, source.levels, devicePxPerSecond) : 0;

  useEffect(() => {
    if (!source) return undefined;
    let isCurrent = true;
    const take = (best: TimedPeaks) => {
      if (isCurrent) setHeld({ source, best, coarsest: settledPeaks(source, 0) ?? best });
    };
    // Without peaks the zero line stays; the next zoom or visit asks again.
    fetchPeaks(source, wanted).then(take, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [source, wanted]);

  return current;
}
