import { useEffect, useState } from 'react';

const STAYS_MS = 3_000;

/** An error message that disappears after 3 s; setting it again restarts the timer. */
export function useBriefError(): readonly [string | null, (sentence: string | null) => void] {
  const [said, setSaid] = useState<{ readonly sentence: string } | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said?.sentence ?? null, (sentence) => setSaid(sentence === null ? null : { sentence })];
}
