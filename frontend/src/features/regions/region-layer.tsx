import { useEffect, useMemo, useRef } from 'react';
import { CATEGORY_WORDS } from '@roughmix/contracts/shared/categories.js';
import { formatSpan } from '../../shared/format/time';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import { RegionGrip } from './region-grip';
import { type Extent, rowsOf } from './region-rows';
import './regions.css';
import type { ShownRegion } from './shown-region';
import { type Scale, useMoving } from './use-moving';
import type { RegionDesk } from './use-region-desk';

const ROW_PX = 26;
const LANE_TOP_PX = 4;
/** A label is never narrower than what can be hit. */
const LEAST_LABEL_PX = 24;
/** Narrower than this, a label is its icon alone. */
const WORD_PX = 48;

/** What the layer needs to know of the wave it lies on. */
export interface LayerView {
  readonly scale: Scale;
  readonly zoomTo: (bounds: { readonly start: number; readonly end: number }) => void;
  readonly reveal: (seconds: number) => void;
}

export interface RegionLayerProps {
  readonly desk: RegionDesk;
  readonly view: LayerView;
}

const extentOf = ({ toX }: Scale, { id, start, end }: ShownRegion): Extent => ({
  id,
  left: toX(start),
  right: Math.max(toX(end), toX(start) + LEAST_LABEL_PX),
});

interface RegionProps extends RegionLayerProps {
  readonly region: ShownRegion;
  readonly row: number;
}

function Region({ desk, view, region, row }: RegionProps) {
  const { scale, zoomTo } = view;
  const left = scale.toX(region.start);
  const width = scale.toX(region.end) - left;
  const isSelected = desk.selected?.id === region.id;
  const top = LANE_TOP_PX + row * ROW_PX;
  const moving = useMoving({ desk, scale, region });
  const state = classNames(categoryClass(region.tag), isSelected && 'sel', region.isDraft && 'draft');
  return (
    <li>
      <button
        type="button"
        className={classNames('rtab', state)}
        style={{ top, left, width: Math.max(LEAST_LABEL_PX, width) }}
        aria-pressed={isSelected}
        aria-label={`${region.title}, ${CATEGORY_WORDS[region.tag]}, ${formatSpan(region.start, region.end)}`}
        onClick={() => desk.select(region.id)}
        onDoubleClick={() => zoomTo(region)}
      >
        <span className="in">
          <Icon of={CATEGORY_ICONS[region.tag]} size={14} />
          {width >= WORD_PX && <span className="cut">{region.title}</span>}
        </span>
      </button>
      <i className={classNames('rb', state, moving && 'moves')} style={{ top, left, width }} {...moving} />
      {isSelected && region.isOwn && (
        <>
          <RegionGrip desk={desk} scale={scale} region={region} edge="start" />
          <RegionGrip desk={desk} scale={scale} region={region} edge="end" />
        </>
      )}
    </li>
  );
}

/** Scrolls to a region that is selected while it is out of sight; one that is dragged out of it does not pull the track along. */
function useRevealed(selected: ShownRegion | null, reveal: (seconds: number) => void): void {
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    if (selected && selected.id !== revealed.current) reveal(selected.start);
    revealed.current = selected?.id ?? null;
  }, [selected, reveal]);
}

/** Labels in their lane, the regions over the wave, and the grips of one's own: a list of buttons in the order of time. */
export function RegionLayer({ desk, view }: RegionLayerProps) {
  const { scale, reveal } = view;
  const { rowOf, count } = useMemo(() => rowsOf(desk.shown.map((region) => extentOf(scale, region))), [desk.shown, scale]);
  useRevealed(desk.selected, reveal);
  return (
    <ul className="lane" aria-label="Regions" style={{ height: LANE_TOP_PX + count * ROW_PX }}>
      {desk.shown.map((region) => (
        <Region key={region.id} desk={desk} view={view} region={region} row={rowOf.get(region.id) ?? 0} />
      ))}
    </ul>
  );
}
