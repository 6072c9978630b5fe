import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import { Clock3, X } from 'lucide-react';
import { formatClock } from '../format/time';
import { Icon } from '../ui/icon';
import styles from './writing.module.css';

/** A timestamp; with `onPress`, a button that leads to it. */
export const StampButton = ({ stamp, onPress }: { readonly stamp: Stamp; readonly onPress: (() => void) | null }) => {
  const content = (
    <>
      <Icon of={Clock3} size={12} />
      <time>{formatClock(stamp.at)}</time>
    </>
  );
  if (onPress === null) return <span className={styles['stamp']}>{content}</span>;
  return (
    <button type="button" className={styles['stamp']} aria-label={`Go to ${formatClock(stamp.at)}`} onClick={onPress}>
      {content}
    </button>
  );
};

/** The timestamp of what is being written, with a button that removes it. */
export const StampChip = ({ stamp, onRemove }: { readonly stamp: Stamp; readonly onRemove: () => void }) => (
  <span className={styles['stamp']}>
    <Icon of={Clock3} size={12} />
    <time>{formatClock(stamp.at)}</time>
    <button type="button" aria-label={`Remove timestamp ${formatClock(stamp.at)}`} onClick={onRemove}>
      <Icon of={X} size={12} />
    </button>
  </span>
);
