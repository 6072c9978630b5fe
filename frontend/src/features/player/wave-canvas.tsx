import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names';
import type { TimedPeaks } from '../../shared/wave/peaks';
import type { PlayerState, PlayerStore } from './player-state';
import { useDensity, useWaveColours } from '../../shared/wave/use-wave-colours';
import { useEachFrame } from './use-player';
import type { WaveView } from './use-track-view';
import type { WaveMark } from '../../shared/wave/wave-drawing';
import { createWaveTiles, type WaveTiles } from './wave-tiles';

const MARGIN = 0.04;

export interface WaveCanvasProps {
  readonly store: PlayerStore;
  /** Several waves on one view share its time axis; its duration is that of the longest. */
  readonly view: WaveView;
  /** CSS pixels. */
  readonly height: number;
  readonly peaks: TimedPeaks | null;
  /** Keep the array's identity while nothing changes. */
  readonly marks: readonly WaveMark[];
  readonly selectedMarkId: string | null;
}

/** Draws the visible tiles whenever their content changes. */
function useTiles({ store, view, height, peaks, marks, selectedMarkId }: WaveCanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const tiles = useRef<WaveTiles | null>(null);
  const colours = useWaveColours(container);
  const density = useDensity();
  const { scale, renderedSpan } = view;
  const scene = useMemo(
    () => colours && { scale, height, peaks, marks, selectedMarkId, colours, density, margin: MARGIN },
    [colours, scale, height, peaks, marks, selectedMarkId, density],
  );
  useLayoutEffect(() => {
    if (!container.current || !scene) return;
    tiles.current ??= createWaveTiles(container.current);
    const left = scale.toX(renderedSpan.start);
    tiles.current.draw(scene, { left, width: scale.toX(renderedSpan.end) - left, playhead: scale.toX(store.getSnapshot().position) });
  }, [scene, scale, renderedSpan, store]);
  const moveTiles = useCallback(({ position }: PlayerState) => tiles.current?.moveTo(scale.toX(position)), [scale]);
  useEachFrame(store, moveTiles);
  return container;
}

/** A version's wave as a picture, up to its end. Fills its container's width, so place it in an element of the view's track. */
export function WaveCanvas(props: WaveCanvasProps) {
  const container = useTiles(props);
  return <div ref={container} className={classNames('wave-canvas', props.peaks && 'is-drawn')} />;
}
