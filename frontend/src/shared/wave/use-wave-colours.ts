import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { readWaveColours, type WaveColours } from './wave-drawing';

const LIGHT = '(prefers-color-scheme: light)';

/** The theme's wave colours at an element, updated when the theme changes; null before the first render. */
export function useWaveColours(element: RefObject<HTMLElement | null>): WaveColours | null {
  const [colours, setColours] = useState<WaveColours | null>(null);
  useLayoutEffect(() => {
    const read = () => element.current && setColours(readWaveColours(element.current));
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
  return colours;
}

/** Higher densities cost memory without a visible difference. */
const MAX_DENSITY = 3;

const densityNow = () => Math.min(window.devicePixelRatio || 1, MAX_DENSITY);

/** Device pixels per CSS pixel; changes with the screen and the browser's zoom. */
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
