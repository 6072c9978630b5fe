import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { isInstant } from '@roughmix/contracts/shared/relative-time.js';
import type { PointerEvent, ReactNode } from 'react';

export interface WhenProps {
  readonly at: Instant;
  /** Such as '3 days ago'. */
  readonly children: ReactNode;
}

/** A relative time; without an exact one if the instant is invalid. The exact one, its title, is formatted on hover only: formatting is slow and lists have hundreds. */
export function When({ at, children }: WhenProps) {
  if (!isInstant(at)) return <span>{children}</span>;
  const writeOut = ({ currentTarget }: PointerEvent<HTMLTimeElement>) => (currentTarget.title = new Date(at).toLocaleString());
  return (
    <time dateTime={new Date(at).toISOString()} onPointerEnter={writeOut}>
      {children}
    </time>
  );
}
