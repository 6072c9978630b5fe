import { memo } from 'react';
import { CATEGORY_LABELS, type RegionCategory } from '@roughmix/contracts/shared/categories.js';
import { formatSpan } from '../../shared/format/time';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import type { ShownRegion } from './shown-region';

/** A label is never narrower than what can be hit. */
export const LEAST_LABEL_PX = 24;
/** Narrower than this, a label is its icon alone. */
const WORD_PX = 48;
/** Wider than this, a label's words stay in sight while its beginning is not. */
const STICKY_PX = 240;

/** Where a region lies, in CSS pixels of the track. */
export interface MarkBox {
  readonly left: number;
  readonly width: number;
  readonly top: number;
}

export interface RegionMarkProps extends MarkBox {
  readonly region: ShownRegion;
  readonly isSelected: boolean;
  /** False far from what is seen: it is then a button in the list and nothing more. */
  readonly isNear: boolean;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (region: ShownRegion) => void;
}

interface NameProps {
  readonly tag: RegionCategory;
  /** null: the icon alone. */
  readonly title: string | null;
}

/** Apart, because a zoom moves every label and changes no name. */
const Name = memo(function Name({ tag, title }: NameProps) {
  return (
    <span className="in">
      <Icon of={CATEGORY_ICONS[tag]} size={14} />
      {title !== null && <span className="cut">{title}</span>}
    </span>
  );
});

/** A region's label and what it covers of the wave. Drawn again only when it changes itself: there may be hundreds. */
export const RegionMark = memo(function RegionMark({ region, isSelected, isNear, onSelect, onOpen, top, left, width }: RegionMarkProps) {
  const state = classNames(categoryClass(region.tag), isSelected && 'sel', region.isDraft && 'draft');
  return (
    <>
      <button
        type="button"
        className={classNames('rtab', isNear && width > STICKY_PX && 'sticks', state)}
        style={{ top, left, width: Math.max(LEAST_LABEL_PX, width) }}
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
