import { memo } from 'react';
import { CATEGORY_LABELS, type RegionCategory } from '@roughmix/contracts/shared/categories.js';
import { formatSpan } from '../../shared/format/time';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
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
  /** False far from the visible part: then only the button is rendered. */
  readonly isNear: boolean;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (region: ShownRegion) => void;
}

interface NameProps {
  readonly tag: RegionCategory;
  /** null: show only the icon. */
  readonly title: string | null;
}

/** Memoized, because zooming moves labels without changing their names. */
const Name = memo(function Name({ tag, title }: NameProps) {
  return (
    <span className="in">
      <Icon of={CATEGORY_ICONS[tag]} size={14} />
      {title !== null && <span className="cut">{title}</span>}
    </span>
  );
});

/** A region's label, and its span on the wave. Memoized, because there may be hundreds. */
export const RegionMark = memo(function RegionMark({ region, isSelected, isNear, onSelect, onOpen, top, left, width }: RegionMarkProps) {
  const state = classNames(categoryClass(region.tag), isSelected && 'sel', region.isDraft && 'draft');
  return (
    <>
      <button
        type="button"
        className={classNames('rtab', isNear && width > STICKY_PX && 'sticks', state)}
        style={{ top, left, width: Math.max(MIN_LABEL_PX, width) }}
        data-region={region.id}
        aria-pressed={isSelected}
        aria-label={`${region.title}, ${CATEGORY_LABELS[region.tag]}, ${formatSpan(region.start, region.end)}`}
        onClick={() => onSelect(region.id)}
        onDoubleClick={() => onOpen(region)}
      >
        <Name tag={region.tag} title={isNear && width >= WORD_PX ? region.title : null} />
      </button>
      {isNear && <i className={classNames('rb', state)} style={{ top, left, width }} />}
    </>
  );
});
