import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLiveState } from '../../shared/live/live-provider';
import { createPlayerStore } from './player-store';
import type { PlayerState, PlayerStore } from './player-state';

const storage = (): Storage | undefined => {
  try {
    return window.localStorage;
  } catch {
    // A browser that forbids storage throws at the mere mention of it.
    return undefined;
  }
};

/** Makes the page's player, and stops it when the page goes. */
export function usePlayerStore(): PlayerStore {
  const [store] = useState(() => createPlayerStore({ media: new Audio(), storage: storage() }));
  useEffect(() => () => store.load(null), [store]);
  return store;
}

/** What failed while the server was away is asked for again when it is back, ahead of the next press. */
export function useSoundAgain(store: PlayerStore): void {
  const state = useLiveState();
  useEffect(() => {
    if (state === 'online' && store.getSnapshot().error !== null) store.prepare();
  }, [store, state]);
}

/** What `select` takes from the player; the component draws again only when that changes. */
export const usePlayer = <T>(store: PlayerStore, select: (state: PlayerState) => T): T =>
  useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));

/** Calls `listener` now and at each change, without drawing anything again: for what moves sixty times a second. */
export function useEachFrame(store: PlayerStore, listener: (state: PlayerState) => void): void {
  useEffect(() => {
    const tell = () => listener(store.getSnapshot());
    tell();
    return store.subscribe(tell);
  }, [store, listener]);
}
