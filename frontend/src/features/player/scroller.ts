/** The scroll position, for what moves with it without being drawn again. */
export interface ScrollSignal {
  /** CSS pixels. */
  readonly get: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Whether the track goes along with the playhead; who scrolls away stays there until the next play or seek. */
export interface Follow {
  readonly isOn: () => boolean;
  readonly set: (isOn: boolean) => void;
}

export interface Scroller {
  readonly signal: ScrollSignal;
  readonly follow: Follow;
  readonly scrollTo: (left: number) => void;
  /** Listens to an element that scrolls; answers how to stop. */
  readonly attach: (element: HTMLElement) => () => void;
}

/** A scroll position that differs by less from ours was not somebody's doing. */
const SAME_PX = 2;

/** The one place that scrolls the track, and so can tell its own scrolling from somebody's. */
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
