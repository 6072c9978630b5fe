import type { PointerEvent } from 'react';
import { formatClock, formatMark } from '../../shared/format/time';
import { rulerTicks, ticksWithin } from './time-scale';
import type { WaveView } from './use-track-view';

export interface RulerProps {
  readonly view: WaveView;
  readonly onSeek: (seconds: number) => void;
}

/** The time ruler above the wave; a press or drag seeks. Hidden from assistive technology, because the wave is a slider. */
export function Ruler({ view, onSeek }: RulerProps) {
  const { major, minor } = rulerTicks(view.scale.pxPerSecond);
  const format = major < 1 ? formatClock : formatMark;
  const seek = (event: PointerEvent<HTMLDivElement>) => onSeek(view.scale.toTime(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const press = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    seek(event);
  };
  const ticks = { '--major': `${view.scale.toX(major)}px`, '--minor': `${view.scale.toX(minor)}px` } as React.CSSProperties;
  return (
    <div className="ruler" aria-hidden="true" style={ticks} onPointerDown={press} onPointerMove={(event) => event.buttons === 1 && seek(event)}>
      {view.scale.pxPerSecond > 0 &&
        ticksWithin(view.renderedSpan, major).map((seconds) => (
          <span key={seconds} style={{ left: view.scale.toX(seconds) }}>
            {format(seconds)}
          </span>
        ))}
    </div>
  );
}
