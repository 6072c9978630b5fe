import { type RefObject, useEffect, useRef, useState } from 'react';

const STEP = 60;
/** How far below the viewport more items are rendered. */
const AHEAD = '1200px';

interface GrowingList {
  /** How many items to render. */
  readonly count: number;
  /** The element behind the last one; null once all are rendered. */
  readonly end: RefObject<HTMLDivElement | null> | null;
}

/**
 * Renders a long list in steps: more whenever its end comes near the viewport.
 * @param atLeast renders this many at once, to show an item further down; they stay rendered
 */
export function useGrowingList(total: number, atLeast = 0): GrowingList {
  const [reached, setReached] = useState(() => (typeof IntersectionObserver === 'undefined' ? Number.POSITIVE_INFINITY : STEP));
  const end = useRef<HTMLDivElement>(null);
  if (atLeast > reached) setReached(atLeast);
  useEffect(() => {
    if (end.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setReached((before) => before + STEP), {
      rootMargin: AHEAD,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [reached, total]);
  return { count: reached, end: reached < total ? end : null };
}
