import type { ReactNode } from 'react';
import './badge.css';
import { classNames } from './class-names';

export interface BadgeProps {
  /** Accent for what is current, line for roles, the others for state. */
  readonly tone?: 'plain' | 'line' | 'accent' | 'success' | 'warn' | 'danger';
  readonly children: ReactNode;
}

/** A one-word fact, not interactive. */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={classNames('badge', tone !== 'plain' && tone)}>{children}</span>;
}
