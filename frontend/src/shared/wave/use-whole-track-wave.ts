import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { TimedPeaks } from './peaks';
import { useDensity, useWaveColours } from './use-wave-colours';
import type { WholeTrackWave } from './whole-track-wave';
import './whole-wave.css';

/** The renderer, loaded after the first paint; null until then. */
function useRenderer(container: RefObject<HTMLElement | null>, hasPlayhead: boolean): WholeTrackWave | null {
  const [wave, setWave] = useState<WholeTrackWave | null>(null);
  useEffect(() => {
    let isMounted = true;
    let created: WholeTrackWave | null = null;
    import('./whole-track-wave').then(
      ({ createWholeTrackWave }) => {
        if (!isMounted || !container.current) return;
        created = createWholeTrackWave(container.current, hasPlayhead);
        setWave(created);
      },
      // On failure the zero line remains and seeking still works; the next visit retries.
      () => undefined,
    );
    return () => {
      isMounted = false;
      created?.destroy();
    };
  }, [container, hasPlayhead]);
  return wave;
}

export interface WholeTrackWaveOptions {
  /** Seconds. */
  readonly duration: number;
  /** null: draw only the zero line. */
  readonly peaks: TimedPeaks | null;
  readonly hasPlayhead: boolean;
  /** Draws all of it in the inks of what was played. */
  readonly isPlayed?: boolean;
}

/** Draws the whole track in a container with the class `whole-canvas`. @returns what moves the playhead; null until the renderer is loaded */
export function useWholeTrackWave(
  container: RefObject<HTMLElement | null>,
  { duration, peaks, hasPlayhead, isPlayed = false }: WholeTrackWaveOptions,
): WholeTrackWave | null {
  const themed = useWaveColours(container);
  const colours = useMemo(() => (themed !== null && isPlayed ? { ...themed, unplayed: themed.played } : themed), [themed, isPlayed]);
  const density = useDensity();
  const wave = useRenderer(container, hasPlayhead);
  useLayoutEffect(() => {
    if (colours) wave?.show({ duration, peaks, colours, density });
  }, [wave, colours, duration, peaks, density]);
  return wave;
}
