import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { WavePicture } from '../../shared/wave/wave-picture';
import { coarsePeaksOf } from './projects-queries';

/** True from the first time that the element is nearly in view. */
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

/** The whole track in a list, 40 px high; its peaks are asked for once the row comes into view. */
export function MiniWave({ peaksUrl }: { readonly peaksUrl: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const { data } = useQuery({ ...coarsePeaksOf(peaksUrl ?? ''), enabled: seen && peaksUrl !== null });
  return (
    <div ref={box} className="mini-wave">
      <WavePicture peaks={data ?? null} />
    </div>
  );
}
