import type { ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names';
import { Icon } from './icon';
import './states.css';

export interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
  /** How to create the first one. */
  readonly action?: ReactNode;
  /** In the middle of a page instead of at the head of a list. */
  readonly isPage?: boolean;
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ icon, children, action, isPage }: EmptyStateProps) {
  return (
    <div className={classNames('empty', isPage && 'middle')}>
      <Icon of={icon} size={isPage ? 24 : 18} />
      <span>{children}</span>
      {action}
    </div>
  );
}
