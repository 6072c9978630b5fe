import { createStore, type Store } from '../../shared/hooks/store';

/** The scroll position, for elements that move with it without re-rendering. */
export interface ScrollSignal {
  /** CSS pixels. */
  readonly get: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface Scroller {
  readonly signal: ScrollSignal;
  /** Whether the track scrolls with the playhead. Scrolling turns it off until the next play, seek or press on Follow. */
  readonly isFollowing: Store<boolean>;
  readonly scrollTo: (left: number) => void;
  /** Observes a scrolling element. @returns a function that stops */
  readonly attach: (element: HTMLElement) => () => void;
}

/** Smaller differences from the last position are rounding, not a scroll by the user. */
const SAME_PX = 2;

/** All programmatic scrolling of the track goes through here, to distinguish it from scrolling by the user. */
export function createScroller(): Scroller {
  const listeners = new Set<() => void>();
  let viewport: HTMLElement | null = null;
  let left = 0;
  const isFollowing = createStore(true);
  const take = (next: number) => {
    left = next;
    for (const listener of listeners) listener();
  };
  const onScroll = () => {
    if (!viewport || viewport.scrollLeft === left) return;
    if (Math.abs(viewport.scrollLeft - left) > SAME_PX) isFollowing.set(false);
    take(viewport.scrollLeft);
  };
  return {
    signal: {
      get: () => left,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    isFollowing,
    scrollTo: (next) => {
      if (!viewport) return;
      viewport.scrollLeft = next;
      take(viewport.scrollLeft);
    },
    attach: (element) => {
      viewport = element;
      element.addEventListener('scroll', onScroll, { passive: true });
      return () => {
        viewport = null;
        element.removeEventListener('scroll', onScroll);
      };
    },
  };
}
