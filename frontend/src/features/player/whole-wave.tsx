import { useCallback, useRef } from 'react';
import type { TimedPeaks } from '../../shared/wave/peaks';
import { useWholeTrackWave } from '../../shared/wave/use-whole-track-wave';
import type { PlayerState, PlayerStore } from './player-state';
import { useEachFrame } from './use-player';

export interface WholeWaveProps {
  readonly store: PlayerStore;
  readonly duration: number;
  readonly peaks: TimedPeaks | null;
}

/** The whole track with its playhead, in the size of its container. */
export function WholeWave({ store, duration, peaks }: WholeWaveProps) {
  const container = useRef<HTMLDivElement>(null);
  const wave = useWholeTrackWave(container, { duration, peaks, hasPlayhead: true });
  const moveWave = useCallback(({ position }: PlayerState) => wave?.moveTo(position), [wave]);
  useEachFrame(store, moveWave);
  return <div ref={container} className="whole-canvas" />;
}
