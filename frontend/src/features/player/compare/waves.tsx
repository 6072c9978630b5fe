import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useMemo } from 'react';
import { useDensity } from '../../../shared/wave/use-wave-colours';
import { type Peaks, peaksSourceOf, usePeaks } from '../../../shared/wave/use-peaks';
import { usePlayer } from '../use-player';
import { NARROW_PX } from '../use-track-view';
import { Wave, type WaveProps } from '../wave';
import type { WaveMark } from '../../../shared/wave/wave-drawing';
import { WaveStatus } from '../wave-status';
import './compare.css';
import { ComparedHead } from './compared-head';
import type { Compare } from './use-compare';

const NO_MARKS: readonly WaveMark[] = [];

/** Height of a single wave in CSS pixels. Two waves share it. */
function heightOf(visibleWidth: number, isShared: boolean): number {
  if (visibleWidth < NARROW_PX) return isShared ? 104 : 168;
  return isShared ? 132 : 208;
}

interface WavesProps extends Omit<WaveProps, 'height' | 'peaks' | 'isOther' | 'end'> {
  readonly compare: Compare;
  readonly selectedId: Id | null;
  /** Of the selected version. */
  readonly peaks: Peaks | null;
}

function useOtherPeaks(other: VersionView | null, pxPerSecond: number): Peaks | null {
  const source = useMemo(() => peaksSourceOf(other), [other]);
  return usePeaks(source, pxPerSecond * useDensity());
}

/** The wave of the selected version; while comparing, both waves on one time axis. */
export function Waves({ compare, selectedId, peaks, ...wave }: WavesProps) {
  const { view, store } = wave;
  const { rows, isShown, other } = compare;
  const otherPeaks = useOtherPeaks(isShown ? other : null, view.scale.pxPerSecond);
  const playingId = usePlayer(store, ({ playingVersionId }) => playingVersionId);
  const highlightedId = rows.some(({ _id }) => _id === playingId) ? playingId : selectedId;
  return rows.map((version, at) => {
    const isSelected = version._id === selectedId;
    const row = isSelected ? wave : { ...wave, marks: NO_MARKS, draw: null };
    return (
      // Keyed by row, so that the canvases are reused for another version.
      <div key={at} className="wave-row">
        {isShown && (
          <ComparedHead
            store={store}
            compare={compare}
            version={version}
            isSelected={isSelected}
            isPlaying={version._id === highlightedId}
            width={view.visibleWidth}
          />
        )}
        <Wave
          {...row}
          height={heightOf(view.visibleWidth, isShown)}
          peaks={(isSelected ? peaks : otherPeaks)?.best ?? null}
          label={isShown ? `Playhead in ${versionNumber(version)}` : undefined}
          isOther={version._id !== highlightedId}
          end={version.duration}
        />
        <WaveStatus version={version} width={view.visibleWidth} />
      </div>
    );
  });
}
