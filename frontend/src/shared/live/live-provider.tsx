import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { beforeSignOut } from '../session/before-sign-out';
import { useSession } from '../session/session-provider';
import type { LiveSubscriber } from './handlers';
import type { Live } from './live';
import type { LiveState } from './stores';
import { projectTopic, type Topic, topicKey } from './topics';

const LiveContext = createContext<Live | null>(null);

/** The live connection of this tab. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('no LiveProvider above');
  return live;
}

/** Keeps the live connection open while a user is signed in; its code is loaded after the first paint. */
export function LiveProvider({ live, children }: { readonly live: Live; readonly children: ReactNode }) {
  const { user, signIns } = useSession();
  const uid = user?.uid;
  // The server refuses the socket of an ended session for good, so each session gets a connection of its own, even for the same user.
  useEffect(() => (uid === undefined ? undefined : live.start(uid)), [live, uid, signIns]);
  useEffect(() => beforeSignOut(live.logout), [live]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

const NOBODY: readonly PersonView[] = [];

/** The state of the live connection. */
export function useLiveState(): LiveState {
  const { state } = useLive();
  return useSyncExternalStore(state.subscribe, state.get);
}

/** The people looking at this project now, the user included; empty for a visitor. */
export function usePresence(projectId: Id): readonly PersonView[] {
  const { presence } = useLive();
  return useSyncExternalStore(presence.subscribe, () => presence.get().get(topicKey(projectTopic(projectId))) ?? NOBODY);
}

/**
 * Follows a topic while the component is mounted. `subscriber` should be the same object at each render.
 * @param loadedAt the position at which the topic's snapshot was read, from which to catch up; null while the snapshot is loading, which
 *   delays joining; if left out, the topic's queries are refetched after joining
 */
export function useTopic({ kind, id }: Topic, subscriber: LiveSubscriber, loadedAt?: Position | null): void {
  const live = useLive();
  const topic = useMemo<Topic>(() => ({ kind, id }), [kind, id]);
  const after = useRef(loadedAt);
  useEffect(() => {
    after.current = loadedAt;
  });
  const isLoading = loadedAt === null;
  useEffect(() => (isLoading ? undefined : live.join(topic, subscriber, after.current ?? undefined)), [live, topic, subscriber, isLoading]);
}
