import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import './mini-wave.css';
import { asWholeTrack, levelOf } from './peaks';
import { useWholeTrackWave } from './use-whole-track-wave';

/** Starts drawing before a row is scrolled into view. */
const MARGIN = '200px';

/** Whether the element is close to the viewport. */
function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), { rootMargin: MARGIN });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

function DrawnWave({ peaksUrl }: { readonly peaksUrl: string }) {
  const container = useRef<HTMLDivElement>(null);
  const { data } = useQuery(levelOf(peaksUrl, 0));
  const peaks = useMemo(() => (data ? asWholeTrack(data) : null), [data]);
  useWholeTrackWave(container, { duration: 1, peaks, hasPlayhead: false });
  return <div ref={container} className="whole-canvas" />;
}

/** Waveform in a list, 40 px high. Drawn only while the row is close to the viewport, because a list may have hundreds. */
export function MiniWave({ peaksUrl }: { readonly peaksUrl: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(box);
  return (
    <div ref={box} className="mini-wave">
      {isNear && peaksUrl !== null ? <DrawnWave peaksUrl={peaksUrl} /> : <div className="whole-canvas" />}
    </div>
  );
}
