import { useEffect, useState } from 'react';

const SHOWN_MS = 3_000;

/** An error message that disappears after 3 s; setting it again restarts the timer. */
export function useBriefError(): readonly [string | null, (sentence: string | null) => void] {
  const [shown, setShown] = useState<{ readonly sentence: string } | null>(null);
  const brief = useBriefly(shown);
  return [brief?.sentence ?? null, (sentence) => setShown(sentence === null ? null : { sentence })];
}

/** `value` for the first 3 s, then null; each new object starts the time again. */
export function useBriefly<T extends object>(value: T | null): T | null {
  const [past, setPast] = useState<T | null>(null);
  useEffect(() => {
    if (value === null) return undefined;
    const timer = setTimeout(() => setPast(value), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return value === past ? null : value;
}
