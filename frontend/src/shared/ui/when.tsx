import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { PointerEvent, ReactNode } from 'react';

export interface WhenProps {
  readonly at: Instant;
  /** The words for it, such as '3 days ago'. */
  readonly children: ReactNode;
}

/** A moment in words; the exact one is shown to a pointer that rests on it, and written out only then, for that is slow and lists have hundreds. */
export function When({ at, children }: WhenProps) {
  const writeOut = ({ currentTarget }: PointerEvent<HTMLTimeElement>) => (currentTarget.title = new Date(at).toLocaleString());
  return (
    <time dateTime={new Date(at).toISOString()} onPointerEnter={writeOut}>
      {children}
    </time>
  );
}
