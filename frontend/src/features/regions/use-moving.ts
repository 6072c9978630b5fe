import { type PointerEvent, useRef } from 'react';
import { type Bounds, moved } from './region-maths';
import type { ShownRegion } from './shown-region';
import type { RegionDesk } from './use-region-desk';

/** How seconds lie on pixels. */
export interface Scale {
  readonly duration: number;
  readonly pxPerSecond: number;
  readonly toX: (seconds: number) => number;
}

/** Pixels that a hand trembles without meaning it. */
const STILL_PX = 4;

interface Hold {
  readonly x: number;
  readonly from: Bounds;
  to: Bounds | null;
}

interface Moving {
  readonly desk: RegionDesk;
  readonly scale: Scale;
  readonly region: ShownRegion;
}

/** Handlers that move one's own region by dragging it, while drag mode is on; undefined when it stays. */
export function useMoving({ desk, scale, region }: Moving) {
  const hold = useRef<Hold | null>(null);
  if (!desk.dragMode || !region.isOwn) return undefined;
  const end = (commits: boolean) => {
    const { current } = hold;
    hold.current = null;
    desk.preview(region.id, null);
    if (commits && current?.to) desk.change(region, current.to);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      hold.current = { x: event.clientX, from: region, to: null };
      desk.select(region.id);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { current } = hold;
      if (!current) return;
      const by = event.clientX - current.x;
      if (!current.to && Math.abs(by) < STILL_PX) return;
      current.to = moved(current.from, by / scale.pxPerSecond, desk.durationOf(region));
      desk.preview(region.id, current.to);
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  };
}
