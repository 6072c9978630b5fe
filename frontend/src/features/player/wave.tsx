import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names';
import { usePlayheadSlider } from './playhead-slider';
import { WaveCanvas, type WaveCanvasProps } from './wave-canvas';
import { type DrawHandlers, watchWave, type WaveGestures } from './wave-gestures';

export interface WaveProps extends WaveCanvasProps {
  readonly draw: DrawHandlers | null;
  readonly onSeek: (seconds: number) => void;
  readonly onDoubleClick: (seconds: number) => void;
  /** Names the slider when there are two. */
  readonly label?: string;
  /** Quieter: the version that does not sound, of two on one time axis. */
  readonly isOther?: boolean;
  /** Where this version ends, if the axis is longer. */
  readonly end?: number;
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
  const { store, view, height, draw, onSeek, onDoubleClick, label = 'Playhead', isOther = false, end } = props;
  const surface = useRef<HTMLDivElement>(null);
  const timeAt = (clientX: number) => view.scale.toTime(clientX - (surface.current?.getBoundingClientRect().left ?? 0));
  useGestures(surface, { timeAt, onClick: onSeek, onDoubleClick, draw });
  usePlayheadSlider(store, surface);
  const toEnds = (event: KeyboardEvent) => {
    if (event.key === 'Home') store.rewind();
    if (event.key === 'End') store.seek(view.scale.duration);
    if (event.key === 'Home' || event.key === 'End') event.preventDefault();
  };
  return (
    <div
      ref={surface}
      className={classNames('wave', draw && 'may-draw', isOther && 'is-other')}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuenow={0}
      data-page-keys=""
      style={{ height }}
      onKeyDown={toEnds}
    >
      <WaveCanvas {...props} />
      {end !== undefined && end < view.scale.duration && <span className="beyond" style={{ left: view.scale.toX(end) }} />}
    </div>
  );
}
