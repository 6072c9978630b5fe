import { useEffect, useSyncExternalStore } from 'react';
import type { PlayerState, PlayerStore } from './player-state';

/** Selects from the player's state; the component re-renders only when the selection changes. */
export const usePlayer = <T>(store: PlayerStore, select: (state: PlayerState) => T): T =>
  useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));

/** Calls `listener` now and on each change, without re-rendering: for elements that move every frame. */
export function useEachFrame(store: PlayerStore, listener: (state: PlayerState) => void): void {
  useEffect(() => {
    const notify = () => listener(store.getSnapshot());
    notify();
    return store.subscribe(notify);
  }, [store, listener]);
}
