import './badge.css';
import { classNames } from './class-names';

export interface CountProps {
  readonly of: number;
  /** Amber; adds the word for those who listen. */
  readonly isUnread?: boolean;
}

/** How many. What waits to be read says 99+ above 99; a fact is told whole. */
export function Count({ of, isUnread }: CountProps) {
  return (
    <span className={classNames('count', isUnread && 'new')}>
      {isUnread && of > 99 ? '99+' : of}
      {isUnread && <span className="sr"> unread</span>}
    </span>
  );
}
