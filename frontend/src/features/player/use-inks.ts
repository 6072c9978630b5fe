import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { type Inks, readInks } from './wave-ink';

const LIGHT = '(prefers-color-scheme: light)';

/** The theme's inks where an element stands, read again when the theme changes; null before the first draw. */
export function useInks(element: RefObject<HTMLElement | null>): Inks | null {
  const [inks, setInks] = useState<Inks | null>(null);
  useLayoutEffect(() => {
    const read = () => element.current && setInks(readInks(element.current));
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    const system = window.matchMedia(LIGHT);
    system.addEventListener('change', read);
    return () => {
      observer.disconnect();
      system.removeEventListener('change', read);
    };
  }, [element]);
  return inks;
}

/** More device pixels in a CSS pixel than the eye tells apart cost memory alone. */
const MOST_DENSITY = 3;

const densityNow = () => Math.min(window.devicePixelRatio || 1, MOST_DENSITY);

/** Device pixels in a CSS pixel; another screen or the browser's own zoom changes it. */
export function useDensity(): number {
  const [density, setDensity] = useState(densityNow);
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    const read = () => setDensity(densityNow());
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, [density]);
  return density;
}
