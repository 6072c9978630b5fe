import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import { Clock3, X } from 'lucide-react';
import type { ReactNode } from 'react';
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

interface StampChipProps {
  readonly stamp: Stamp;
  readonly onRemove: () => void;
  /** Controls between the time and the button that removes it. */
  readonly children?: ReactNode;
}

/** The timestamp of what is being written, with a button that removes it. */
export const StampChip = ({ stamp, onRemove, children }: StampChipProps) => (
  <span className={styles['stamp']}>
    <Icon of={Clock3} size={12} />
    <time>{formatClock(stamp.at)}</time>
    {children}
    <button type="button" aria-label={`Remove timestamp ${formatClock(stamp.at)}`} onClick={onRemove}>
      <Icon of={X} size={12} />
    </button>
  </span>
);
