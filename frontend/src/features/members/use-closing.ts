import { useEffect, useRef } from 'react';

const CLOSES_AFTER_MS = 3_000;

/** Closes a dialog 3 s after it is done. */
export function useClosing(isDone: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => close.current(), CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
}
