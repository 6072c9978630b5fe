import { type PointerEvent, useMemo } from 'react';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { Clock } from './clock';
import { pointerFraction } from './pointer-fraction';
import { PlayButton } from './play-button';
import type { PlayerStore } from './player-state';
import './player.css';
import { peaksSourceOf, usePeaks } from './use-peaks';
import { WholeWave } from './whole-wave';

export interface MiniPlayerProps {
  readonly store: PlayerStore;
  readonly version: VersionView | null;
  /** The project's name. */
  readonly name: string;
}

/** The player in the collapsed header: play button, version, clock and overview. Small screens show the name only. */
export function MiniPlayer({ store, version, name }: MiniPlayerProps) {
  const source = useMemo(() => peaksSourceOf(version), [version]);
  const peaks = usePeaks(source, 0);
  const duration = version?.duration ?? 0;
  const seek = (event: PointerEvent<HTMLDivElement>) => store.seek(pointerFraction(event) * duration);
  return (
    <div className="mini-player">
      <PlayButton store={store} size="m" onPress={store.toggle} />
      <div className="mini-name">
        <b className="wide cut">{name}</b>
        {version && (
          <span className="meta cut">
            {versionNumber(version)} {version.tinySummary}
          </span>
        )}
      </div>
      <Clock store={store} />
      <div
        className="overview-map"
        aria-hidden="true"
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
    </div>
  );
}
