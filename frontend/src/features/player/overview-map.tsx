import { memo, type PointerEvent, useCallback, useEffect, useRef } from 'react';
import { categoryClass } from '../../shared/ui/category';
import { pointerFraction } from './pointer-fraction';
import type { TimedPeaks } from '../../shared/wave/peaks';
import type { PlayerStore } from './player-state';
import type { TrackView } from './use-track-view';
import { WholeWave } from './whole-wave';
import type { WaveMark } from '../../shared/wave/wave-drawing';

export interface OverviewMapProps {
  readonly store: PlayerStore;
  readonly view: TrackView;
  readonly peaks: TimedPeaks | null;
  readonly marks: readonly WaveMark[];
  readonly onSeek: (seconds: number) => void;
}

const percent = (part: number) => `${part * 100}%`;
/** Pointer movement, in pixels, that turns a press on the window into a drag. */
const DRAG_PX = 3;

interface Drag {
  readonly x: number;
  readonly scroll: number;
  moved: boolean;
}

/** Positions the viewport rectangle on scroll without re-rendering. */
function useWindow({ view }: OverviewMapProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const { scale, visibleWidth, scroll } = view;
  const place = useCallback(() => {
    if (!frame.current || scale.width === 0) return;
    frame.current.style.left = percent(scroll.get() / scale.width);
    frame.current.style.width = percent(Math.min(1, visibleWidth / scale.width));
    frame.current.hidden = visibleWidth >= scale.width;
  }, [scale, visibleWidth, scroll]);
  useEffect(() => {
    place();
    return scroll.subscribe(place);
  }, [place, scroll]);
  return frame;
}

/** Memoized, because there may be hundreds. */
const Ticks = memo(function Ticks({ marks, duration }: { readonly marks: readonly WaveMark[]; readonly duration: number }) {
  return marks.map(({ id, category, start, end }) => (
    <i key={id} className={`tick ${categoryClass(category)}`} style={{ left: percent(start / duration), width: percent((end - start) / duration) }} />
  ));
});

/** Overview of the whole track. A press seeks; dragging the viewport rectangle scrolls the wave. */
export function OverviewMap(props: OverviewMapProps) {
  const { store, view, peaks, marks, onSeek } = props;
  const frame = useWindow(props);
  const drag = useRef<Drag | null>(null);
  const seek = (event: PointerEvent<HTMLDivElement>) => onSeek(pointerFraction(event) * view.scale.duration);
  const press = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const x = pointerFraction(event) * view.scale.width;
    const inWindow = view.scale.width > view.visibleWidth && x >= view.scroll.get() && x <= view.scroll.get() + view.visibleWidth;
    drag.current = inWindow ? { x: event.clientX, scroll: view.scroll.get(), moved: false } : null;
    if (!inWindow) seek(event);
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons !== 1) return;
    if (!drag.current) return seek(event);
    const by = event.clientX - drag.current.x;
    if (Math.abs(by) > DRAG_PX) drag.current.moved = true;
    if (!drag.current.moved) return;
    view.isFollowing.set(false);
    view.scrollTo(drag.current.scroll + (by / event.currentTarget.clientWidth) * view.scale.width);
  };
  const release = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current && !drag.current.moved) seek(event);
    drag.current = null;
  };
  const { duration } = view.scale;
  return (
    <div className="overview-map grow" aria-hidden="true" onPointerDown={press} onPointerMove={move} onPointerUp={release}>
      <WholeWave store={store} duration={duration} peaks={peaks} />
      {duration > 0 && <Ticks marks={marks} duration={duration} />}
      <span ref={frame} className="win" />
    </div>
  );
}
