import { useEffect, useState } from 'react';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { fetchPeaks, levelNeeded, type PeaksSource, cachedPeaks, type TimedPeaks } from './peaks';

/** The source of a version's peaks; null until they exist. */
export const peaksSourceOf = (version: VersionView | null): PeaksSource | null =>
  version && version.peaksUrl !== null && version.peaksLevels > 0
    ? { peaksUrl: version.peaksUrl, levels: version.peaksLevels, duration: version.duration, sampleRate: version.analysis?.sampleRate ?? null }
    : null;

export interface Peaks {
  /** Level 0, for the whole track. */
  readonly coarsest: TimedPeaks;
  /** The finest level that is loaded and needed. */
  readonly best: TimedPeaks;
}

interface LoadedPeaks extends Peaks {
  readonly source: PeaksSource;
}

function settledOf(source: PeaksSource): Peaks | null {
  const coarsest = cachedPeaks(source, 0);
  return coarsest ? { coarsest, best: coarsest } : null;
}

/**
 * A version's peaks: the coarsest level first, then the level needed at this resolution. null: draw only the zero line.
 * @param source must keep its identity between renders
 */
export function usePeaks(source: PeaksSource | null, devicePxPerSecond: number): Peaks | null {
  const [held, setHeld] = useState<LoadedPeaks | null>(null);
  const current = source && (held?.source === source ? held : settledOf(source));
  const wanted = source && current ? levelNeeded(current.coarsest, source.levels, devicePxPerSecond) : 0;

  useEffect(() => {
    if (!source) return undefined;
    let isCurrent = true;
    const take = (best: TimedPeaks) => {
      if (isCurrent) setHeld({ source, best, coarsest: cachedPeaks(source, 0) ?? best });
    };
    // On failure the zero line remains; the next zoom or visit retries.
    fetchPeaks(source, wanted).then(take, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [source, wanted]);

  return current;
}
