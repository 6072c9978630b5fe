import { type PointerEvent, useRef } from 'react';
import { type Bounds, moved } from './region-maths';
import type { MarkBox } from './region-mark';
import type { Scale, ShownRegion } from './shown-region';
import type { RegionEditor } from './use-region-editor';

/** Pixels that a hand trembles without meaning it. */
const STILL_PX = 4;

interface Hold {
  readonly x: number;
  readonly from: Bounds;
  to: Bounds | null;
}

export interface RegionMoverProps extends MarkBox {
  readonly editor: RegionEditor;
  readonly scale: Scale;
  readonly region: ShownRegion;
}

/** Lies over the user's own region while drag mode is on, and moves it. The bounds' buttons do the same from the keyboard. */
export function RegionMover({ editor, scale, region, left, width, top }: RegionMoverProps) {
  const hold = useRef<Hold | null>(null);
  const end = (commits: boolean) => {
    const { current } = hold;
    hold.current = null;
    editor.preview(region.id, null);
    if (commits && current?.to) editor.change(region, current.to);
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    hold.current = { x: event.clientX, from: { start: region.start, end: region.end }, to: null };
    editor.select(region.id);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const { current } = hold;
    if (!current) return;
    const by = event.clientX - current.x;
    if (!current.to && Math.abs(by) < STILL_PX) return;
    current.to = moved(current.from, by / scale.pxPerSecond, editor.durationOf(region));
    editor.preview(region.id, current.to);
  };
  return (
    <i
      className="mover"
      style={{ top, left, width }}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
    />
  );
}
