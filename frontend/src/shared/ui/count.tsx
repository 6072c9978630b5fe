import './badge.css';
import { classNames } from './class-names';

export interface CountProps {
  readonly of: number;
  /** Amber; adds the word for those who listen. */
  readonly isUnread?: boolean;
}

/** How many. Above 99 it says 99+. */
export function Count({ of, isUnread }: CountProps) {
  return (
    <span className={classNames('count', isUnread && 'new')}>
      {of > 99 ? '99+' : of}
      {isUnread && <span className="sr"> unread</span>}
    </span>
  );
}
