import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { StaticWave } from '../../shared/wave/static-wave';
import { coarsePeaksOf } from './projects-queries';

/** True once the element has been close to the viewport. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (watched === null || seen) return undefined;
    const observer = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)), { rootMargin: '200px' });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, seen]);
  return seen;
}

/** Waveform in the list, 40 px high; loads its peaks when the row comes into view. */
export function MiniWave({ peaksUrl }: { readonly peaksUrl: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const { data } = useQuery({ ...coarsePeaksOf(peaksUrl ?? ''), enabled: seen && peaksUrl !== null });
  return (
    <div ref={box} className="mini-wave">
      <StaticWave peaks={data ?? null} />
    </div>
  );
}
