import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { OfflineError } from '../api/api-errors';
import { api } from '../api/client';
import { useSession } from '../session/session-provider';
import type { Deliver, Outbox } from './outbox';
import { createOutboxes, type Outboxes } from './outboxes';
import { removeStored } from './tab-storage';

const OutboxesContext = createContext<Outboxes | null>(null);

const RETRIES = 2;
const RETRY_DELAY_MS = 500;

/** Beside the session's own query, so that a page whose session has ended stays as it is. */
async function isSignedIn(cache: QueryClient, uid: Uid): Promise<boolean> {
  try {
    const { user } = await cache.query({
      queryKey: ['signed-in-account'],
      queryFn: () => api.get<SessionAnswer>(USER_PATHS.session, { allowsAnonymous: true }),
      retry: (failures, error) => failures < RETRIES && error instanceof OfflineError,
      retryDelay: RETRY_DELAY_MS,
      staleTime: 0,
      gcTime: 0,
    });
    return user.uid === uid;
  } catch {
    return false;
  }
}

/**
 * Drafts and outboxes end with their session. While a login is asked for over the page nothing is sent; on sign-out everything
 * unsent is removed from this tab; signing in removes what other accounts left.
 */
export function WritingProvider({ children }: { readonly children: ReactNode }) {
  const cache = useQueryClient();
  const { user, loginReason, hasSignedOut } = useSession();
  const uid = user?.uid ?? null;
  const outboxes = useMemo(() => (uid === null ? null : createOutboxes(uid, () => isSignedIn(cache, uid))), [cache, uid]);
  const hasEnded = loginReason === 'ended';
  useEffect(() => (hasEnded ? undefined : outboxes?.start()), [outboxes, hasEnded]);
  useEffect(() => {
    if (uid !== null || hasSignedOut) removeStored(uid);
  }, [uid, hasSignedOut]);
  return <OutboxesContext value={outboxes}>{children}</OutboxesContext>;
}

/**
 * The outbox of what is written in one place. It goes on delivering when the page is left for another.
 * @param scope names the place, such as a project's id; items of one scope have one type
 */
export function useOutbox<T>(scope: string, createDeliver: () => Deliver<T>): Outbox<T> {
  const outboxes = useContext(OutboxesContext);
  if (outboxes === null) throw new Error('no account is signed in, or no WritingProvider above');
  return outboxes.open(scope, createDeliver);
}
