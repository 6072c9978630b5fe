import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';
import { CATEGORY_LABELS } from '@roughmix/contracts/shared/categories.js';
import { CATEGORY_ICONS, categoryClass } from './category';
import { classNames } from './class-names';
import { Icon } from './icon';
import { formatSpan } from '../format/time';
import './tag.css';

export interface TagProps {
  readonly category: GroupRegionCategory;
  /** Seconds; without a span the tag shows the category's name. */
  readonly span?: { readonly start: number; readonly end: number };
  /** The region's own name, after the span. */
  readonly label?: string;
  /** Makes it a button that seeks. */
  readonly onPress?: () => void;
  readonly className?: string;
}

/** A category with its icon and its name or span. */
export function Tag({ category, span, label, onPress, className }: TagProps) {
  const word = CATEGORY_LABELS[category];
  const content = (
    <>
      <Icon of={CATEGORY_ICONS[category]} size={12} />
      {span ? (
        <>
          <span className="sr">{word}, </span>
          <time>{formatSpan(span.start, span.end)}</time>
        </>
      ) : (
        word
      )}
      {label !== undefined && <span className="cut">{label}</span>}
    </>
  );
  const look = classNames('tag', categoryClass(category), className);
  if (!onPress) return <span className={look}>{content}</span>;
  return (
    <button type="button" className={look} onClick={onPress}>
      {content}
    </button>
  );
}
