import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react';
import { formatClock } from '../../shared/format/time';
import { arrowSeconds } from '../../shared/ui/arrow-seconds';
import { categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import { type Bounds, resized } from './region-maths';
import type { Scale, ShownRegion } from './shown-region';
import type { RegionEditor } from './use-region-editor';

export interface RegionGripProps {
  readonly editor: RegionEditor;
  readonly scale: Scale;
  readonly region: ShownRegion;
  readonly edge: 'start' | 'end';
}

interface Move {
  readonly from: Bounds;
  to: Bounds;
}

/** Previews the moved edge, and sends one change on release. */
function useEdgeMove({ editor, region, edge }: RegionGripProps) {
  const move = useRef<Move | null>(null);
  const end = (commits: boolean) => {
    const { current } = move;
    if (!current) return;
    move.current = null;
    editor.preview(region.id, null);
    if (commits && current.to[edge] !== current.from[edge]) editor.change(region, current.to);
  };
  const shift = (seconds: (current: Move) => number) => {
    const bounds = { start: region.start, end: region.end };
    const current = (move.current ??= { from: bounds, to: bounds });
    current.to = resized(current.from, edge, seconds(current), editor.durationOf(region));
    editor.preview(region.id, current.to);
  };
  const cancel = useEffectEvent(() => end(false));
  useEffect(() => () => cancel(), []);
  return { end, shift };
}

/** An edge of the user's own region, moved by dragging or with the arrow keys. A held key is one change, sent on release. */
export function RegionGrip(props: RegionGripProps) {
  const { editor, scale, region, edge } = props;
  const { end, shift } = useEdgeMove(props);
  const pressedAt = useRef<number | null>(null);
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    pressedAt.current = event.clientX;
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const { current: x } = pressedAt;
    if (x !== null) shift(({ from }) => from[edge] + (event.clientX - x) / scale.pxPerSecond);
  };
  const release = (commits: boolean) => {
    pressedAt.current = null;
    end(commits);
  };
  const step = (event: KeyboardEvent) => {
    const by = arrowSeconds(event);
    if (by === null) return;
    event.preventDefault();
    shift(({ to }) => to[edge] + by);
  };
  return (
    <span
      className={classNames('grip', edge === 'end' && 'at-end', categoryClass(region.tag))}
      style={{ left: scale.toX(region[edge]) }}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'start' ? 'Region start' : 'Region end'}
      aria-valuemin={0}
      aria-valuemax={editor.durationOf(region)}
      aria-valuenow={region[edge]}
      aria-valuetext={formatClock(region[edge])}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={() => release(true)}
      onPointerCancel={() => release(false)}
      onKeyDown={step}
      onKeyUp={(event) => arrowSeconds(event) !== null && end(true)}
      onBlur={() => pressedAt.current === null && end(true)}
    />
  );
}
