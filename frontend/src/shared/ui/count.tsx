import './badge.css';
import { classNames } from './class-names';

export interface CountProps {
  readonly of: number;
  /** Amber; adds 'unread' for screen readers. */
  readonly isUnread?: boolean;
}

/** How an unread count reads: capped at 99+. */
export const shownCount = (unread: number): string => (unread > 99 ? '99+' : String(unread));

/** A count. Unread counts are capped at 99+, others are exact. */
export function Count({ of, isUnread }: CountProps) {
  return (
    <span className={classNames('count', isUnread && 'new')}>
      {isUnread ? shownCount(of) : of}
      {isUnread && <span className="sr"> unread</span>}
    </span>
  );
}
