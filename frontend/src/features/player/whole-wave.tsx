import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '../../shared/ui/class-names';
import type { TimedPeaks } from './peaks';
import type { PlayerState, PlayerStore } from './player-state';
import { timeScale } from './time-scale';
import { useDensity, useInks } from './use-inks';
import { useEachFrame } from './use-player';
import { createWaveTiles, onPixel, type WaveTiles } from './wave-tiles';

const NO_MARKS = [] as const;

export interface WholeWaveProps {
  readonly store: PlayerStore;
  readonly duration: number;
  readonly peaks: TimedPeaks | null;
}

/** The whole track in whatever room there is, with its playhead. */
export function WholeWave({ store, duration, peaks }: WholeWaveProps) {
  const ink = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLElement>(null);
  const tiles = useRef<WaveTiles | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const inks = useInks(ink);
  const density = useDensity();

  useLayoutEffect(() => {
    const { current } = ink;
    if (!current) return undefined;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const scale = useMemo(() => timeScale(duration, size.width, 0), [duration, size.width]);
  useLayoutEffect(() => {
    if (!ink.current || !inks) return;
    tiles.current ??= createWaveTiles(ink.current);
    const scene = { scale, height: size.height, peaks, marks: NO_MARKS, inks, density, margin: 0 };
    tiles.current.draw(scene, { left: 0, width: scale.width, playhead: scale.toX(store.getSnapshot().position) });
  }, [inks, scale, size.height, peaks, density, store]);

  const follow = useCallback(
    ({ position }: PlayerState) => {
      const x = scale.toX(position);
      tiles.current?.moveTo(x);
      const place = `translateX(${onPixel(x, density)}px)`;
      if (line.current && line.current.style.transform !== place) line.current.style.transform = place;
    },
    [scale, density],
  );
  useEachFrame(store, follow);
  return (
    <>
      <div ref={ink} className={classNames('whole-ink', peaks && 'is-drawn')} />
      <i ref={line} className="ph" />
    </>
  );
}
