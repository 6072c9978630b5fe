import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useLiveState } from '../../shared/live/live-provider';
import { useSession } from '../../shared/session/session-provider';
import { engineLoader, preloadEngine } from './engine/load-engine';
import { createPlayerStore } from './player-store';
import type { AppPlayer, PlayerStore } from './player-state';
import { createProjectPlayer } from './project-player';

const AFTER_FIRST_PAINT_MS = 1_000;

const PlayerContext = createContext<AppPlayer | null>(null);

const storage = (): Storage | undefined => {
  try {
    return window.localStorage;
  } catch {
    // Accessing localStorage throws if the browser blocks storage.
    return undefined;
  }
};

/** Creates the app's player, which keeps playing across pages until the session ends. */
export function PlayerProvider({ children }: { readonly children: ReactNode }) {
  const [store] = useState(() => {
    const media = new Audio();
    return createPlayerStore({ media, storage: storage(), loadEngine: engineLoader(media) });
  });
  const { user, loginReason } = useSession();
  const live = useLiveState();
  // No user while the login dialog is open because the session has ended.
  const listener = loginReason === 'ended' ? undefined : user?.uid;
  useEffect(() => () => store.release(), [store, listener]);
  useEffect(() => {
    if (listener === undefined) return undefined;
    // The first play retries what fails to load now.
    const preload = () => void Promise.all([preloadEngine(), import('./now-playing')]).catch(() => undefined);
    const timer = setTimeout(preload, AFTER_FIRST_PAINT_MS);
    return () => clearTimeout(timer);
  }, [listener]);
  // Load audio that failed to load while the server was unreachable.
  useEffect(() => {
    const { error, playing } = store.getSnapshot();
    if (live === 'online' && (error !== null || playing)) store.prepare();
  }, [store, live]);
  return <PlayerContext value={store}>{children}</PlayerContext>;
}

/** The app's player, whatever project it plays. */
export function usePlayerStore(): AppPlayer {
  const store = useContext(PlayerContext);
  if (store === null) throw new Error('no PlayerProvider above');
  return store;
}

/** The player of a project's page. Visiting the page does not interrupt another project's playback; pressing play replaces it. */
export function useProjectPlayer(projectId: string): PlayerStore {
  const app = usePlayerStore();
  const [store] = useState(() => createProjectPlayer(app, projectId));
  useEffect(() => {
    const timer = setTimeout(app.warmUp, AFTER_FIRST_PAINT_MS);
    return () => clearTimeout(timer);
  }, [app]);
  return store;
}
