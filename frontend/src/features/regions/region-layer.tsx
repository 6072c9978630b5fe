import { memo, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import { CategoryMasks } from '../../shared/ui/category-masks';
import type { Bounds } from './region-maths';
import { RegionGrip } from './region-grip';
import { MIN_LABEL_PX, type MarkBox, RegionMark, type RegionMarkProps } from './region-mark';
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
/** The box of regions that are not near: the same at every zoom. */
const FAR: MarkBox = { left: 0, width: 0, top: 0 };

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

interface RegionItemProps extends RegionMarkProps {
  /** Only for regions that are being adjusted, because it changes with each render. */
  readonly adjusting: { readonly editor: RegionEditor; readonly scale: Scale } | null;
}

/** Memoized, so that a selection or a zoom renders only the regions that it changes. */
const RegionItem = memo(function RegionItem({ adjusting, ...mark }: RegionItemProps) {
  const { region, isSelected } = mark;
  return (
    <li>
      <RegionMark {...mark} />
      {adjusting?.editor.dragMode && <RegionMover {...mark} {...adjusting} />}
      {adjusting && isSelected && (
        <>
          <RegionGrip {...adjusting} region={region} edge="start" />
          <RegionGrip {...adjusting} region={region} edge="end" />
        </>
      )}
    </li>
  );
});

/** The regions with their labels, as a list of buttons in time order, and grips for those that the user may adjust. */
export function RegionLayer({ editor, view }: RegionLayerProps) {
  const { shown, selected, select, keyOf, dragMode } = editor;
  const { scale, renderedSpan } = view;
  const zoomTo = useStableCallback(view.zoomTo);
  const reveal = useStableCallback(view.reveal);
  const rows = useMemo(() => rowsIn(shown, scale), [shown, scale]);
  useRevealed(selected, view.reveal);
  const isPainted = useDeferredValue(true, false);
  const drawn = isPainted || shown.length <= MAX_INITIAL_LABELS ? shown : NONE;
  return (
    <>
      <CategoryMasks />
      <ul className="lane" aria-label="Regions" style={{ height: LANE_TOP_PX + rows.count * ROW_PX }}>
        {drawn.map((region) => {
          const isNear = region.start < renderedSpan.end && region.end > renderedSpan.start;
          return (
            <RegionItem
              key={keyOf(region.id)}
              {...(isNear ? boxOf(region, scale, rows) : FAR)}
              region={region}
              isSelected={region.id === selected?.id}
              isNear={isNear}
              adjusting={region.isAdjustable && (dragMode || region.id === selected?.id) ? { editor, scale } : null}
              onSelect={select}
              onOpen={zoomTo}
              onReveal={reveal}
            />
          );
        })}
      </ul>
    </>
  );
}
