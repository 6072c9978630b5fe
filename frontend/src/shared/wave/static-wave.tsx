import type { PeaksLevel } from '@roughmix/contracts/media/peaks.js';
import { useEffect, useRef } from 'react';
import { drawStaticWave, type StaticWaveOptions } from './draw-static-wave';
import './static-wave.css';

/** Calls `listener` when the theme may have changed, by choice or by the system. */
function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = window.matchMedia('(prefers-color-scheme: light)');
  system.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', listener);
  };
}

interface StaticWaveProps {
  /** null until loaded: only the zero line is drawn. */
  readonly peaks: PeaksLevel | null;
  readonly picture?: StaticWaveOptions;
}

/** A static waveform that fills its box. Hidden from assistive technology, because text beside it has the facts. */
export function StaticWave({ peaks, picture }: StaticWaveProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const drawn = canvas.current;
    if (drawn === null) return undefined;
    const draw = () => drawStaticWave(drawn, peaks, picture);
    draw();
    const sizes = new ResizeObserver(draw);
    sizes.observe(drawn);
    const stopTheme = onThemeChange(draw);
    return () => {
      sizes.disconnect();
      stopTheme();
    };
  }, [peaks, picture]);
  return <canvas ref={canvas} className={peaks === null ? 'static-wave' : 'static-wave has-peaks'} aria-hidden="true" />;
}
