import { useEffect, useState } from 'react';

const SHOWN_MS = 3_000;

/** An error message that disappears after 3 s; setting it again restarts the timer. */
export function useBriefError(): readonly [string | null, (sentence: string | null) => void] {
  const [shown, setShown] = useState<{ readonly sentence: string } | null>(null);
  useEffect(() => {
    if (shown === null) return undefined;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return [shown?.sentence ?? null, (sentence) => setShown(sentence === null ? null : { sentence })];
}
