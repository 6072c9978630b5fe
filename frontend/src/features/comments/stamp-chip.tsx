import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import { Clock3, X } from 'lucide-react';
import { formatClock } from '../../shared/format/time';
import { Icon } from '../../shared/ui/icon';
import './comments.css';

/** A moment that leads there. */
export const StampButton = ({ stamp, onPress }: { readonly stamp: Stamp; readonly onPress: (() => void) | null }) => {
  const content = (
    <>
      <Icon of={Clock3} size={12} />
      <time>{formatClock(stamp.at)}</time>
    </>
  );
  if (onPress === null) return <span className="stamp-chip">{content}</span>;
  return (
    <button type="button" className="stamp-chip" aria-label={`Go to ${formatClock(stamp.at)}`} onClick={onPress}>
      {content}
    </button>
  );
};

/** The moment that goes along with what is being written; one click takes it away. */
export const StampChip = ({ stamp, onRemove }: { readonly stamp: Stamp; readonly onRemove: () => void }) => (
  <span className="stamp-chip">
    <Icon of={Clock3} size={12} />
    <time>{formatClock(stamp.at)}</time>
    <button type="button" aria-label={`Leave out the moment ${formatClock(stamp.at)}`} onClick={onRemove}>
      <Icon of={X} size={12} />
    </button>
  </span>
);
