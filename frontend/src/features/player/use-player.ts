import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLiveState } from '../../shared/live/live-provider';
import { createPlayerStore } from './player-store';
import type { PlayerState, PlayerStore } from './player-state';

const storage = (): Storage | undefined => {
  try {
    return window.localStorage;
  } catch {
    // Accessing localStorage throws if the browser blocks storage.
    return undefined;
  }
};

/** Creates the page's player, and stops it on unmount. */
export function usePlayerStore(): PlayerStore {
  const [store] = useState(() => createPlayerStore({ media: new Audio(), storage: storage() }));
  useEffect(() => () => store.load(null), [store]);
  return store;
}

/** Reloads audio that failed while the server was unreachable, once the connection is back. */
export function useReloadOnReconnect(store: PlayerStore): void {
  const state = useLiveState();
  useEffect(() => {
    if (state === 'online' && store.getSnapshot().error !== null) store.prepare();
  }, [store, state]);
}

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
