import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { TimedPeaks } from './peaks';
import type { PlayerState, PlayerStore } from './player-state';
import { useDensity, useInks } from './use-inks';
import { useEachFrame } from './use-player';
import type { WholeTrackWave } from './whole-track-wave';

export interface WholeWaveProps {
  readonly store: PlayerStore;
  readonly duration: number;
  readonly peaks: TimedPeaks | null;
}

/** The overview's renderer, loaded after the first paint; null until then. */
function useWholeTrackWave(room: RefObject<HTMLElement | null>): WholeTrackWave | null {
  const [wave, setWave] = useState<WholeTrackWave | null>(null);
  useEffect(() => {
    let isHere = true;
    let made: WholeTrackWave | null = null;
    import('./whole-track-wave').then(
      ({ createWholeTrackWave }) => {
        if (!isHere || !room.current) return;
        made = createWholeTrackWave(room.current);
        setWave(made);
      },
      // On failure the zero line remains and seeking still works; the next visit retries.
      () => undefined,
    );
    return () => {
      isHere = false;
      made?.destroy();
    };
  }, [room]);
  return wave;
}

/** The whole track with its playhead, in the size of its container. */
export function WholeWave({ store, duration, peaks }: WholeWaveProps) {
  const room = useRef<HTMLDivElement>(null);
  const inks = useInks(room);
  const density = useDensity();
  const wave = useWholeTrackWave(room);
  useLayoutEffect(() => {
    if (inks) wave?.show({ duration, peaks, inks, density });
  }, [wave, inks, duration, peaks, density]);
  const follow = useCallback(({ position }: PlayerState) => wave?.moveTo(position), [wave]);
  useEachFrame(store, follow);
  return <div ref={room} className="whole-ink" />;
}
