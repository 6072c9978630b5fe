import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function with a stable identity that calls the latest `callback`. Do not call it during render. */
export function useStableCallback<Args extends readonly unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
