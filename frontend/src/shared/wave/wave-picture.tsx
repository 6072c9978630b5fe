import type { PeaksLevel } from '@roughmix/contracts/media/peaks.js';
import { useEffect, useRef } from 'react';
import { drawWave, type WavePicture as Picture } from './draw-wave';
import './wave-picture.css';

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

interface WavePictureProps {
  /** null until loaded: only the zero line is drawn. */
  readonly peaks: PeaksLevel | null;
  readonly picture?: Picture;
}

/** A static waveform that fills its box. Hidden from assistive technology, because text beside it has the facts. */
export function WavePicture({ peaks, picture }: WavePictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const drawn = canvas.current;
    if (drawn === null) return undefined;
    const draw = () => drawWave(drawn, peaks, picture);
    draw();
    const sizes = new ResizeObserver(draw);
    sizes.observe(drawn);
    const stopTheme = onThemeChange(draw);
    return () => {
      sizes.disconnect();
      stopTheme();
    };
  }, [peaks, picture]);
  return <canvas ref={canvas} className={peaks === null ? 'wave-picture' : 'wave-picture has-peaks'} aria-hidden="true" />;
}
