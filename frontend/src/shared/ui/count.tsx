import './badge.css';
import { classNames } from './class-names';

export interface CountProps {
  readonly of: number;
  /** Amber; adds 'unread' for screen readers. */
  readonly isUnread?: boolean;
}

/** A count. Unread counts are capped at 99+, others are exact. */
export function Count({ of, isUnread }: CountProps) {
  return (
    <span className={classNames('count', isUnread && 'new')}>
      {isUnread && of > 99 ? '99+' : of}
      {isUnread && <span className="sr"> unread</span>}
    </span>
  );
}
