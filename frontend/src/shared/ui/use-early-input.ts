import { useLayoutEffect, useSyncExternalStore } from 'react';
import { useStableCallback } from '../hooks/use-stable-callback';

const neverChanges = () => () => undefined;

/**
 * Calls `adopt` once if the server sent the control as HTML: what was typed, or filled in by the browser, before the page's code had
 * loaded is in the control and not in its state.
 */
export function useEarlyInput(adopt: () => void): void {
  const isHydrating = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const adoptNow = useStableCallback(adopt);
  useLayoutEffect(() => {
    if (isHydrating) adoptNow();
  }, [isHydrating, adoptNow]);
}
