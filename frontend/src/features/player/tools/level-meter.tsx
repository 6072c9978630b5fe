import { useEffect, useRef } from 'react';
import { formatLoudness, formatPeak } from '../../../shared/format/loudness';
import type { Meter, PlayerStore } from '../player-state';
import './tools.css';

/** The ends of the scale, in LUFS and dBFS. */
const LOWEST = -48;
const HIGHEST = 0;

const placeOf = (level: number): number => Math.min(1, Math.max(0, (level - LOWEST) / (HIGHEST - LOWEST)));

const SILENCE: Meter = { shortTerm: null, peak: 0 };

/** Short-term loudness and peak at the playhead; empty while paused. It updates without React and is not announced to screen readers. */
export function LevelMeter({ store }: { readonly store: PlayerStore }) {
  const level = useRef<HTMLSpanElement>(null);
  const figures = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      store.watchMeter((meter) => {
        if (!level.current || !figures.current) return;
        const { shortTerm, peak } = meter ?? SILENCE;
        const peakDb = 20 * Math.log10(peak);
        level.current.style.setProperty('--loudness', String(shortTerm === null ? 0 : placeOf(shortTerm)));
        level.current.style.setProperty('--peak', String(placeOf(peakDb)));
        figures.current.textContent = [shortTerm !== null && formatLoudness(shortTerm), peak > 0 && formatPeak(peakDb)].filter(Boolean).join(', ');
      }),
    [store],
  );
  return (
    <div className="level-meter" aria-hidden="true">
      <span className="name">Level</span>
      <span ref={level} className="level" />
      <span ref={figures} className="meta" />
    </div>
  );
}
