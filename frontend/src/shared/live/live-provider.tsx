import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { createContext, useContext, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { useSession } from '../session/session-provider';
import type { LiveHandlers } from './handlers';
import type { Live } from './live';
import type { LiveState } from './stores';

const LiveContext = createContext<Live | null>(null);

/** The live connection of this tab. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('no LiveProvider above');
  return live;
}

/** Keeps the live connection while somebody is signed in; its code is loaded after the first paint. */
export function LiveProvider({ live, children }: { readonly live: Live; readonly children: ReactNode }) {
  const { user, entries } = useSession();
  const uid = user?.uid;
  // The server refuses the socket of an ended session for good: a new one comes with a new connection, also for the same person.
  useEffect(() => (uid === undefined ? undefined : live.start()), [live, uid, entries]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

const NOBODY: readonly PersonView[] = [];

/** How the live connection stands. */
export function useLiveState(): LiveState {
  const { state } = useLive();
  return useSyncExternalStore(state.subscribe, state.get);
}

/** Who looks at this project now, oneself among them; empty for a visitor. */
export function useHere(projectId: Id): readonly PersonView[] {
  const { here } = useLive();
  return useSyncExternalStore(here.subscribe, () => here.get().get(projectId) ?? NOBODY);
}

/**
 * Takes part in a project as long as the component stands. `handlers` should be the same object at each render.
 * @param loadedAt the `position` of the project as it was loaded: what happened since comes first; null while it is
 *   not loaded yet (nothing is joined then); left out, the project's queries are asked again once joined
 */
export function useProjectLive(projectId: Id, handlers: LiveHandlers, loadedAt?: Position | null): void {
  const live = useLive();
  const after = useRef(loadedAt);
  useEffect(() => {
    after.current = loadedAt;
  });
  const waits = loadedAt === null;
  useEffect(() => (waits ? undefined : live.join(projectId, handlers, after.current ?? undefined)), [live, projectId, handlers, waits]);
}
