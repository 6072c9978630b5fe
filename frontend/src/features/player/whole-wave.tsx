import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { TimedPeaks } from './peaks';
import type { PlayerState, PlayerStore } from './player-state';
import { useDensity, useWaveColours } from './use-wave-colours';
import { useEachFrame } from './use-player';
import type { WholeTrackWave } from './whole-track-wave';

export interface WholeWaveProps {
  readonly store: PlayerStore;
  readonly duration: number;
  readonly peaks: TimedPeaks | null;
}

/** The overview's renderer, loaded after the first paint; null until then. */
function useWholeTrackWave(container: RefObject<HTMLElement | null>): WholeTrackWave | null {
  const [wave, setWave] = useState<WholeTrackWave | null>(null);
  useEffect(() => {
    let isMounted = true;
    let created: WholeTrackWave | null = null;
    import('./whole-track-wave').then(
      ({ createWholeTrackWave }) => {
        if (!isMounted || !container.current) return;
        created = createWholeTrackWave(container.current);
        setWave(created);
      },
      // On failure the zero line remains and seeking still works; the next visit retries.
      () => undefined,
    );
    return () => {
      isMounted = false;
      created?.destroy();
    };
  }, [container]);
  return wave;
}

/** The whole track with its playhead, in the size of its container. */
export function WholeWave({ store, duration, peaks }: WholeWaveProps) {
  const container = useRef<HTMLDivElement>(null);
  const colours = useWaveColours(container);
  const density = useDensity();
  const wave = useWholeTrackWave(container);
  useLayoutEffect(() => {
    if (colours) wave?.show({ duration, peaks, colours, density });
  }, [wave, colours, duration, peaks, density]);
  const moveWave = useCallback(({ position }: PlayerState) => wave?.moveTo(position), [wave]);
  useEachFrame(store, moveWave);
  return <div ref={container} className="whole-canvas" />;
}
