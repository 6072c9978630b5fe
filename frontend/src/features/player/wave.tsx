import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { formatClock } from '../../shared/format/time';
import { classNames } from '../../shared/ui/class-names';
import type { TimedPeaks } from './peaks';
import type { PlayerState, PlayerStore } from './player-state';
import { useDensity, useWaveColours } from './use-wave-colours';
import { useEachFrame } from './use-player';
import type { WaveView } from './use-track-view';
import { type DrawHandlers, watchWave, type WaveGestures } from './wave-gestures';
import type { WaveMark } from './wave-drawing';
import { createWaveTiles, type WaveTiles } from './wave-tiles';

const MARGIN = 0.04;

export interface WaveProps {
  readonly store: PlayerStore;
  readonly view: WaveView;
  readonly height: number;
  readonly peaks: TimedPeaks | null;
  readonly marks: readonly WaveMark[];
  readonly draw: DrawHandlers | null;
  readonly onSeek: (seconds: number) => void;
  readonly onDoubleClick: (seconds: number) => void;
}

/** Tenths of a second while paused, whole seconds during playback: otherwise a screen reader would announce without pause. */
function updateSlider(element: HTMLElement, { position, duration, playing }: PlayerState): void {
  const value = playing ? Math.floor(position) : Math.round(position * 10) / 10;
  if (element.getAttribute('aria-valuenow') === String(value) && element.getAttribute('aria-valuemax') === String(duration)) return;
  element.setAttribute('aria-valuenow', String(value));
  element.setAttribute('aria-valuemax', String(duration));
  element.setAttribute('aria-valuetext', `${formatClock(value)} of ${formatClock(duration)}`);
}

/** Draws the visible tiles whenever their content changes. */
function useTiles({ store, view, height, peaks, marks }: WaveProps) {
  const container = useRef<HTMLDivElement>(null);
  const tiles = useRef<WaveTiles | null>(null);
  const colours = useWaveColours(container);
  const density = useDensity();
  const { scale, renderedSpan } = view;
  const scene = useMemo(() => colours && { scale, height, peaks, marks, colours, density, margin: MARGIN }, [colours, scale, height, peaks, marks, density]);
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

function useGestures(element: React.RefObject<HTMLElement | null>, gestures: WaveGestures): void {
  const current = useRef(gestures);
  useLayoutEffect(() => {
    current.current = gestures;
  });
  useEffect(() => (element.current ? watchWave(element.current, () => current.current) : undefined), [element]);
}

/** The wave, on which the user seeks and draws regions; a slider of time for assistive technology. */
export function Wave(props: WaveProps) {
  const { store, view, height, peaks, draw, onSeek, onDoubleClick } = props;
  const surface = useRef<HTMLDivElement>(null);
  const container = useTiles(props);
  const timeAt = (clientX: number) => view.scale.toTime(clientX - (surface.current?.getBoundingClientRect().left ?? 0));
  useGestures(surface, { timeAt, onClick: onSeek, onDoubleClick, draw });
  useEachFrame(
    store,
    useCallback((state: PlayerState) => surface.current && updateSlider(surface.current, state), []),
  );
  const toEnds = (event: KeyboardEvent) => {
    if (event.key === 'Home') store.rewind();
    if (event.key === 'End') store.seek(view.scale.duration);
    if (event.key === 'Home' || event.key === 'End') event.preventDefault();
  };
  return (
    <div
      ref={surface}
      className={classNames('wave', draw && 'may-draw')}
      role="slider"
      tabIndex={0}
      aria-label="Playhead"
      aria-valuemin={0}
      aria-valuenow={0}
      data-page-keys=""
      style={{ height }}
      onKeyDown={toEnds}
    >
      <div ref={container} className={classNames('wave-canvas', peaks && 'is-drawn')} />
    </div>
  );
}
