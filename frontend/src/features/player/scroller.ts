/** The scroll position, for elements that move with it without re-rendering. */
export interface ScrollSignal {
  /** CSS pixels. */
  readonly get: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Whether the track follows the playhead. Scrolling turns it off until the next play or seek. */
export interface Follow {
  readonly isOn: () => boolean;
  readonly set: (isOn: boolean) => void;
}

export interface Scroller {
  readonly signal: ScrollSignal;
  readonly follow: Follow;
  readonly scrollTo: (left: number) => void;
  /** Observes a scrolling element; returns how to stop. */
  readonly attach: (element: HTMLElement) => () => void;
}

/** Smaller differences from the last position are rounding, not a scroll by the user. */
const SAME_PX = 2;

/** All programmatic scrolling of the track goes through here, to distinguish it from scrolling by the user. */
export function createScroller(): Scroller {
  const listeners = new Set<() => void>();
  let screen: HTMLElement | null = null;
  let left = 0;
  const following = { isOn: true };
  const take = (next: number) => {
    left = next;
    for (const listener of listeners) listener();
  };
  const onScroll = () => {
    if (!screen || screen.scrollLeft === left) return;
    if (Math.abs(screen.scrollLeft - left) > SAME_PX) following.isOn = false;
    take(screen.scrollLeft);
  };
  return {
    signal: {
      get: () => left,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    follow: { isOn: () => following.isOn, set: (isOn) => void Object.assign(following, { isOn }) },
    scrollTo: (next) => {
      if (!screen) return;
      screen.scrollLeft = next;
      take(screen.scrollLeft);
    },
    attach: (element) => {
      screen = element;
      element.addEventListener('scroll', onScroll, { passive: true });
      return () => {
        screen = null;
        element.removeEventListener('scroll', onScroll);
      };
    },
  };
}
