import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same and calls the latest `callback`, for contexts and memoized children. Not to be called during render. */
export function useStableCallback<Args extends readonly unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
