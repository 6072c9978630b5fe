import { memo } from 'react';
import { CATEGORY_WORDS } from '@roughmix/contracts/shared/categories.js';
import { formatSpan } from '../../shared/format/time';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import type { ShownRegion } from './shown-region';

/** A label is never narrower than what can be hit. */
export const LEAST_LABEL_PX = 24;
/** Narrower than this, a label is its icon alone. */
const WORD_PX = 48;

/** Where a region lies, in CSS pixels of the track. */
export interface Place {
  readonly left: number;
  readonly width: number;
  readonly top: number;
}

export interface RegionMarkProps extends Place {
  readonly region: ShownRegion;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (region: ShownRegion) => void;
}

/** A region's label and what it covers of the wave. Drawn again only when it changes itself: there may be hundreds. */
export const RegionMark = memo(function RegionMark({ region, isSelected, onSelect, onOpen, top, left, width }: RegionMarkProps) {
  const state = classNames(categoryClass(region.tag), isSelected && 'sel', region.isDraft && 'draft');
  return (
    <>
      <button
        type="button"
        className={classNames('rtab', state)}
        style={{ top, left, width: Math.max(LEAST_LABEL_PX, width) }}
        aria-pressed={isSelected}
        aria-label={`${region.title}, ${CATEGORY_WORDS[region.tag]}, ${formatSpan(region.start, region.end)}`}
        onClick={() => onSelect(region.id)}
        onDoubleClick={() => onOpen(region)}
      >
        <span className="in">
          <Icon of={CATEGORY_ICONS[region.tag]} size={14} />
          {width >= WORD_PX && <span className="cut">{region.title}</span>}
        </span>
      </button>
      <i className={classNames('rb', state)} style={{ top, left, width }} />
    </>
  );
});
