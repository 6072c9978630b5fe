import type { ReactNode } from 'react';
import './badge.css';
import { classNames } from './class-names';

export interface BadgeProps {
  /** Accent for what is now; the others for state; line for roles. */
  readonly tone?: 'plain' | 'line' | 'accent' | 'success' | 'warn' | 'danger';
  readonly children: ReactNode;
}

/** A fact in a word. It does nothing. */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={classNames('badge', tone !== 'plain' && tone)}>{children}</span>;
}
