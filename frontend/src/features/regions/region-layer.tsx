import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { Bounds } from './region-maths';
import { RegionGrip } from './region-grip';
import { MIN_LABEL_PX, type MarkBox, RegionMark } from './region-mark';
import { RegionMover } from './region-mover';
import { type Rows, rowsOf } from './region-rows';
import './regions.css';
import type { Scale, ShownRegion } from './shown-region';
import type { RegionEditor } from './use-region-editor';

const ROW_PX = 26;
const LANE_TOP_PX = 4;
/** With more labels than this, render them after the first paint. */
const MAX_INITIAL_LABELS = 40;
const NONE: readonly ShownRegion[] = [];

/** The geometry of the wave that the layer lies on. */
export interface LayerView {
  readonly scale: Scale;
  /** The drawn span of the track. */
  readonly renderedSpan: Bounds;
  readonly zoomTo: (bounds: Bounds) => void;
  readonly reveal: (seconds: number) => void;
}

export interface RegionLayerProps {
  readonly editor: RegionEditor;
  readonly view: LayerView;
}

function boxOf({ id, start, end }: ShownRegion, { toX }: Scale, { rowOf }: Rows): MarkBox {
  return { left: toX(start), width: toX(end) - toX(start), top: LANE_TOP_PX + (rowOf.get(id) ?? 0) * ROW_PX };
}

const rowsIn = (shown: readonly ShownRegion[], { toX }: Scale): Rows =>
  rowsOf(shown.map(({ id, start, end }) => ({ id, left: toX(start), right: Math.max(toX(end), toX(start) + MIN_LABEL_PX) })));

/** Scrolls to a region when it is selected, but not while it is dragged out of view. */
function useRevealed(selected: ShownRegion | null, reveal: (seconds: number) => void): void {
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    if (selected && selected.id !== revealed.current) reveal(selected.start);
    revealed.current = selected?.id ?? null;
  }, [selected, reveal]);
}

/** The regions with their labels, as a list of buttons in time order, and grips for those that the user may adjust. */
export function RegionLayer({ editor, view }: RegionLayerProps) {
  const { shown, selected, select, dragMode } = editor;
  const { scale, renderedSpan, reveal, zoomTo } = view;
  const rows = useMemo(() => rowsIn(shown, scale), [shown, scale]);
  useRevealed(selected, reveal);
  const isPainted = useDeferredValue(true, false);
  const drawn = isPainted || shown.length <= MAX_INITIAL_LABELS ? shown : NONE;
  return (
    <ul className="lane" aria-label="Regions" style={{ height: LANE_TOP_PX + rows.count * ROW_PX }}>
      {drawn.map((region) => (
        <li key={region.id}>
          <RegionMark
            {...boxOf(region, scale, rows)}
            region={region}
            isSelected={region.id === selected?.id}
            isNear={region.start < renderedSpan.end && region.end > renderedSpan.start}
            onSelect={select}
            onOpen={zoomTo}
          />
          {dragMode && region.isAdjustable && <RegionMover {...boxOf(region, scale, rows)} editor={editor} scale={scale} region={region} />}
          {region.id === selected?.id && region.isAdjustable && (
            <>
              <RegionGrip editor={editor} scale={scale} region={region} edge="start" />
              <RegionGrip editor={editor} scale={scale} region={region} edge="end" />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
