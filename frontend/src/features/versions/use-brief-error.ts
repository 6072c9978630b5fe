import { useEffect, useState } from 'react';

const STAYS_MS = 3_000;

/** A sentence that goes by itself after 3 s. Saying it again begins anew. */
export function useBriefError(): readonly [string | null, (sentence: string | null) => void] {
  const [said, setSaid] = useState<{ readonly sentence: string } | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said?.sentence ?? null, (sentence) => setSaid(sentence === null ? null : { sentence })];
}
