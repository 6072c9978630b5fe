import { detailOf } from '@roughmix/contracts/shared/problems.js';
import type { LoginBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SelfView, SessionAnswer, StaffRole } from '@roughmix/contracts/users/user.view.js';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { api, onSessionEnded } from '../api/client';
import { useToast } from '../ui/toast-queue';
import { sessionQuery } from './session-query';

/** Why the login dialog is open: the action needs an account, or the session ended. */
export type LoginAsked = 'needed' | 'ended' | null;

export interface Session {
  /** 'failed' if the server could not be reached. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly user: SelfView | null;
  readonly staffRole: StaffRole | null;
  /** True once the user signed out: the login page then does not return to this page. */
  readonly leftOnPurpose: boolean;
  readonly loginAsked: LoginAsked;
  /** Number of sign-ins since the page loaded, to reset state that belongs to a session. */
  readonly entries: number;
  readonly closeLogin: () => void;
  readonly retry: () => void;
  readonly signIn: (email: string, password: string) => Promise<void>;
  readonly lookAround: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  /** Call before any edit. True for an account; otherwise shows a toast to guests or opens the login, and returns false. */
  readonly requireAccount: () => boolean;
}

const SessionContext = createContext<Session | null>(null);

/** The current session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no SessionProvider above');
  return session;
}

/** Clears the cache when the user changes. */
function enter(cache: QueryClient, answer: SessionAnswer): void {
  const before = cache.getQueryData(sessionQuery.queryKey)?.user.uid;
  if (before !== answer.user.uid) cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  cache.setQueryData(sessionQuery.queryKey, answer);
}

const loginBody = (email: string, password: string): LoginBody => ({ email, password, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });

interface Doors {
  readonly loginAsked: LoginAsked;
  readonly leftOnPurpose: boolean;
  readonly entries: number;
}

function useDoors(cache: QueryClient) {
  const [doors, setDoors] = useState<Doors>({ loginAsked: null, leftOnPurpose: false, entries: 0 });
  const acts = useMemo(() => {
    const come = (answer: SessionAnswer) => {
      enter(cache, answer);
      setDoors(({ entries }) => ({ loginAsked: null, leftOnPurpose: false, entries: entries + 1 }));
    };
    return {
      ask: (loginAsked: LoginAsked) => setDoors((now) => ({ ...now, loginAsked })),
      signIn: async (email: string, password: string) =>
        come((await api.send<SessionAnswer>('POST', USER_PATHS.login, loginBody(email, password), { retries: 0 })).answer),
      lookAround: async () => come((await api.send<SessionAnswer>('POST', USER_PATHS.guest, {})).answer),
      signOut: async () => {
        await api.send('POST', USER_PATHS.logout, {});
        setDoors((now) => ({ ...now, loginAsked: null, leftOnPurpose: true }));
        cache.clear();
        cache.setQueryData(sessionQuery.queryKey, null);
      },
      /** The session ended and the user dismissed the login. */
      letGo: () => {
        setDoors((now) => ({ ...now, loginAsked: null, leftOnPurpose: false }));
        cache.setQueryData(sessionQuery.queryKey, null);
      },
    };
  }, [cache]);
  return { doors, acts };
}

/** Provides the session. When it ends, the page stays open and the login dialog appears over it. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const cache = useQueryClient();
  const { data, isPending, isError, refetch } = useQuery(sessionQuery);
  const { doors, acts } = useDoors(cache);
  const toaster = useToast();
  const user = data?.user ?? null;
  const isSomebody = user !== null;
  useEffect(() => (isSomebody ? onSessionEnded(() => acts.ask('ended')) : undefined), [isSomebody, acts]);

  const session = useMemo<Session>(
    () => ({
      status: isPending ? 'loading' : isError && data === undefined ? 'failed' : 'ready',
      user,
      staffRole: data?.staffRole ?? null,
      ...doors,
      ...acts,
      closeLogin: doors.loginAsked === 'ended' ? acts.letGo : () => acts.ask(null),
      retry: () => void refetch(),
      requireAccount: () => {
        if (user === null) acts.ask('needed');
        else if (user.isGuest) toaster.show({ kind: 'warning', message: detailOf('guest.read-only') });
        return user !== null && !user.isGuest;
      },
    }),
    [isPending, isError, data, user, doors, acts, refetch, toaster],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
