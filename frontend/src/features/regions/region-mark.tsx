import { CATEGORY_LABELS } from '@roughmix/contracts/shared/categories.js';
import { formatSpan } from '../../shared/format/time';
import { categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import type { ShownRegion } from './shown-region';

/** Minimum width of a label, so that it can be pressed. */
export const MIN_LABEL_PX = 24;
/** Narrower labels show only the icon. */
const WORD_PX = 48;
/** The text of wider labels stays visible when their start is scrolled out of view. */
const STICKY_PX = 240;

/** Position of a region in CSS pixels of the track. */
export interface MarkBox {
  readonly left: number;
  readonly width: number;
  readonly top: number;
}

export interface RegionMarkProps extends MarkBox {
  readonly region: ShownRegion;
  readonly isSelected: boolean;
  /** False far from the visible part: then there is only an invisible button in its place in the list. */
  readonly isNear: boolean;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (region: ShownRegion) => void;
  /** Scrolls to a region that is focused while it is far. */
  readonly onReveal: (seconds: number) => void;
}

/** A region's label, and its span on the wave. The icon is drawn by the style sheet. */
export function RegionMark({ region, isSelected, isNear, onSelect, onOpen, onReveal, top, left, width }: RegionMarkProps) {
  const state = classNames(categoryClass(region.tag), isSelected && 'sel', region.isDraft && 'draft');
  return (
    <>
      <button
        type="button"
        className={classNames('rtab', !isNear && 'far', isNear && width > STICKY_PX && 'sticks', state)}
        style={isNear ? { top, left, width: Math.max(MIN_LABEL_PX, width) } : undefined}
        data-region={region.id}
        aria-pressed={isSelected}
        aria-label={`${region.title}, ${CATEGORY_LABELS[region.tag]}, ${formatSpan(region.start, region.end)}`}
        onClick={() => onSelect(region.id)}
        onDoubleClick={() => onOpen(region)}
        onFocus={isNear ? undefined : () => onReveal(region.start)}
      >
        {isNear && <span className="in">{width >= WORD_PX && <span className="cut">{region.title}</span>}</span>}
      </button>
      {isNear && <i className={classNames('rb', state)} style={{ top, left, width }} />}
    </>
  );
}
