import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react';
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

const ARROWS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

interface Move {
  readonly from: Bounds;
  to: Bounds;
}

/** Shows an edge where it is moved to, and sends one change once it is released. */
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

/** One edge of the user's own region: dragged, or moved by the arrow keys. A held arrow is one change, sent when the key is released. */
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
    const direction = ARROWS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    shift(({ to }) => to[edge] + direction * (event.shiftKey ? BIG_STEP : STEP));
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
      onKeyUp={({ key }) => ARROWS[key] !== undefined && end(true)}
      onBlur={() => pressedAt.current === null && end(true)}
    />
  );
}
