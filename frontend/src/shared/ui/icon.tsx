import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names';

export interface IconProps {
  readonly of: LucideIcon;
  /** 16 in controls, 18 alone, 14 and 12 in tags and meta, 24 for play. */
  readonly size?: 12 | 14 | 16 | 18 | 24;
  /** Only play, pause and an own like are filled. */
  readonly filled?: boolean;
  readonly className?: string;
}

/** An icon beside a word or inside a named control, hidden from screen readers. */
export function Icon({ of: Drawing, size = 16, filled, className }: IconProps) {
  return <Drawing aria-hidden="true" strokeWidth={undefined} className={classNames('i', size !== 16 && `i-${size}`, filled && 'i-fill', className)} />;
}
