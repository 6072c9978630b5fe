import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { levelNeeded, levelOf, type PeaksSource, timedPeaks, type TimedPeaks } from './peaks';

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

function useLevel(source: PeaksSource | null, level: number) {
  const query = levelOf(source?.peaksUrl ?? '', level);
  const { data, isError, refetch } = useQuery({
    ...query,
    ...(source === null && { queryFn: skipToken }),
    // While another level loads, the last one of the same version stays.
    placeholderData: (last, lastQuery) => (lastQuery?.queryKey[1] === source?.peaksUrl ? last : undefined),
  });
  const peaks = useMemo(() => (source && data ? timedPeaks(data, source) : null), [source, data]);
  return { peaks, isError, refetch };
}

/**
 * A version's peaks: the coarsest level first, then the level needed at this resolution. null: draw only the zero line.
 * @param source must keep its identity between renders
 */
export function usePeaks(source: PeaksSource | null, devicePxPerSecond: number): Peaks | null {
  const { peaks: coarsest } = useLevel(source, 0);
  const wanted = source && coarsest ? levelNeeded(coarsest, source.levels, devicePxPerSecond) : 0;
  const { peaks: finer } = useLevel(source, wanted);
  return useMemo(() => coarsest && { coarsest, best: finer ?? coarsest }, [coarsest, finer]);
}

/** Fetches peaks again that failed to load; null unless they have. */
export function useRetryPeaks(source: PeaksSource | null): (() => void) | null {
  const { isError, refetch } = useLevel(source, 0);
  return isError ? () => void refetch() : null;
}
