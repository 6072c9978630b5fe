import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { formatClock } from '../../shared/format/time';
import { categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import { type Bounds, resized } from './region-maths';
import type { Scale, ShownRegion } from './shown-region';
import type { RegionEditor } from './use-region-editor';

/** Seconds that an arrow moves an edge, and with Shift. */
const STEP = 0.1;
const BIG_STEP = 1;

export interface RegionGripProps {
  readonly editor: RegionEditor;
  readonly scale: Scale;
  readonly region: ShownRegion;
  readonly edge: 'start' | 'end';
}

interface Hold {
  readonly x: number;
  readonly from: Bounds;
  to: Bounds;
}

/** One edge of one's own region: dragged, or moved by the arrows. */
export function RegionGrip({ editor, scale, region, edge }: RegionGripProps) {
  const hold = useRef<Hold | null>(null);
  const duration = editor.durationOf(region);
  const end = (commits: boolean) => {
    const { current } = hold;
    hold.current = null;
    editor.preview(region.id, null);
    if (commits && current && current.to[edge] !== current.from[edge]) editor.change(region, current.to);
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const from = { start: region.start, end: region.end };
    hold.current = { x: event.clientX, from, to: from };
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const { current } = hold;
    if (!current) return;
    current.to = resized(current.from, edge, current.from[edge] + (event.clientX - current.x) / scale.pxPerSecond, duration);
    editor.preview(region.id, current.to);
  };
  const step = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    editor.change(region, resized(region, edge, region[edge] + direction * (event.shiftKey ? BIG_STEP : STEP), duration));
  };
  return (
    <span
      className={classNames('grip', edge === 'end' && 'at-end', categoryClass(region.tag))}
      style={{ left: scale.toX(region[edge]) }}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'start' ? 'Region start' : 'Region end'}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={region[edge]}
      aria-valuetext={formatClock(region[edge])}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
      onKeyDown={step}
    />
  );
}
