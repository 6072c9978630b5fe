import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { type HTMLAttributes, type PointerEvent, type Ref, useMemo } from 'react';
import { pointerFraction } from './pointer-fraction';
import type { PlayerStore } from './player-state';
import { peaksSourceOf, usePeaks } from '../../shared/wave/use-peaks';
import { WholeWave } from './whole-wave';

export interface SeekableWaveProps extends HTMLAttributes<HTMLDivElement> {
  readonly ref?: Ref<HTMLDivElement>;
  readonly store: PlayerStore;
  readonly version: VersionView | null;
}

/** The whole track of a version; a press or a drag on it seeks. */
export function SeekableWave({ store, version, ...rest }: SeekableWaveProps) {
  const source = useMemo(() => peaksSourceOf(version), [version]);
  const peaks = usePeaks(source, 0);
  const duration = version?.duration ?? 0;
  const seek = (event: PointerEvent<HTMLDivElement>) => store.seek(pointerFraction(event) * duration);
  return (
    <div
      {...rest}
      className="overview-map"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture?.(event.pointerId)) seek(event);
      }}
    >
      <WholeWave store={store} duration={duration} peaks={peaks?.coarsest ?? null} />
    </div>
  );
}
