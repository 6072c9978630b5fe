import { useCallback, useSyncExternalStore } from 'react';

/** The narrowest layout, as in the style sheets. */
export const PHONE = '(max-width: 767.98px)';

/** For code that animates or waits for an animation; style sheets have their own query. */
export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether a media query matches now; never in a page that is built as HTML. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
