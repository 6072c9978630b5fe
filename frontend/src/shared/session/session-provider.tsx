import { basicDetailOf } from '@roughmix/contracts/shared/basic-problems.js';
import type { FirstAccountBody, LoginBody, SessionBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SelfView, SessionAnswer, StaffRole } from '@roughmix/contracts/users/user.view.js';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { api, onSessionEnded } from '../api/client';
import type { PendingRemovals } from '../removals/pending-removals';
import { usePendingRemovals } from '../removals/removals-provider';
import { type ToastMessage, useToast } from '../ui/toast-queue';
import { runBeforeSignOut } from './before-sign-out';
import { sessionQuery } from './session-query';

/** Why the login dialog is open: the action needs an account, or the session ended. */
export type LoginReason = 'needed' | 'ended' | null;

export interface Session {
  /** 'failed' if the server could not be reached. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly user: SelfView | null;
  readonly staffRole: StaffRole | null;
  /** True once the user signed out: the login page then does not return to this page. */
  readonly hasSignedOut: boolean;
  readonly loginReason: LoginReason;
  /** Number of sign-ins since the page loaded, to reset state that belongs to a session. */
  readonly signIns: number;
  readonly closeLogin: () => void;
  readonly retry: () => void;
  readonly signIn: (email: string, password: string) => Promise<void>;
  readonly signInAsGuest: () => Promise<void>;
  /** Starts a session with the token of an invite e-mail. */
  readonly acceptInvite: (token: string) => Promise<void>;
  /** Makes the first account, with the token that the program printed, and signs it in. */
  readonly registerFirst: (registration: Omit<FirstAccountBody, 'timeZone'>) => Promise<void>;
  /** Whether the form that requests an invite is open over the page. */
  readonly isInviteOpen: boolean;
  readonly askForInvite: () => void;
  readonly closeInvite: () => void;
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
function cacheSession(cache: QueryClient, answer: SessionAnswer): void {
  const before = cache.getQueryData(sessionQuery.queryKey)?.user.uid;
  if (before !== answer.user.uid) cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  cache.setQueryData(sessionQuery.queryKey, answer);
}

const timeZoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const loginBody = (email: string, password: string): LoginBody => ({ email, password, timeZone: timeZoneHere() });
const inviteBody = (): SessionBody => ({ timeZone: timeZoneHere() });

/** Tells guests that they cannot edit, and offers what they need to do so. */
const guestToast = (onPress: () => void): ToastMessage => ({
  kind: 'warning',
  message: basicDetailOf('guest.read-only'),
  action: { label: 'Request Invite', onPress },
});

/** Shows the toast for guests. One at a time: a further edit replaces it, and is announced again. */
function useGuestToast(onPress: () => void): () => void {
  const toaster = useToast();
  const last = useRef<number>(undefined);
  return useCallback(() => {
    if (last.current !== undefined) toaster.dismiss(last.current);
    last.current = toaster.show(guestToast(onPress));
  }, [toaster, onPress]);
}

interface LoginState {
  readonly loginReason: LoginReason;
  readonly hasSignedOut: boolean;
  readonly signIns: number;
  readonly isInviteOpen: boolean;
}

const INITIAL: LoginState = { loginReason: null, hasSignedOut: false, signIns: 0, isInviteOpen: false };

function useLoginState(cache: QueryClient, removals: PendingRemovals) {
  const [loginState, setLoginState] = useState<LoginState>(INITIAL);
  const actions = useMemo(() => {
    const startSession = (answer: SessionAnswer) => {
      cacheSession(cache, answer);
      setLoginState(({ signIns }) => ({ ...INITIAL, signIns: signIns + 1 }));
    };
    return {
      askForLogin: (loginReason: LoginReason) => setLoginState((now) => ({ ...now, loginReason })),
      signIn: async (email: string, password: string) =>
        startSession((await api.send<SessionAnswer>('POST', USER_PATHS.login, loginBody(email, password), { retries: 0 })).answer),
      signInAsGuest: async () => startSession((await api.send<SessionAnswer>('POST', USER_PATHS.guest, {})).answer),
      acceptInvite: async (token: string) =>
        startSession((await api.send<SessionAnswer>('POST', USER_PATHS.invite(token), inviteBody(), { retries: 0 })).answer),
      registerFirst: async (registration: Omit<FirstAccountBody, 'timeZone'>) =>
        startSession((await api.send<SessionAnswer>('POST', USER_PATHS.firstAccount, { ...registration, timeZone: timeZoneHere() }, { retries: 0 })).answer),
      askForInvite: () => setLoginState((now) => ({ ...now, isInviteOpen: true })),
      closeInvite: () => setLoginState((now) => ({ ...now, isInviteOpen: false })),
      signOut: async () => {
        await Promise.all([removals.flush(), runBeforeSignOut()]);
        await api.send('POST', USER_PATHS.logout, {});
        setLoginState((now) => ({ ...now, loginReason: null, hasSignedOut: true }));
        cache.clear();
        cache.setQueryData(sessionQuery.queryKey, null);
      },
      /** The session ended and the user dismissed the login. */
      endSession: () => {
        setLoginState((now) => ({ ...now, loginReason: null, hasSignedOut: false }));
        cache.setQueryData(sessionQuery.queryKey, null);
      },
    };
  }, [cache, removals]);
  return { loginState, actions };
}

/** Provides the session. When it ends, the page stays open and the login dialog appears over it. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const cache = useQueryClient();
  const { data, isPending, isError, refetch } = useQuery(sessionQuery);
  const { loginState, actions } = useLoginState(cache, usePendingRemovals());
  const refuseGuest = useGuestToast(actions.askForInvite);
  const user = data?.user ?? null;
  const isSignedIn = user !== null;
  useEffect(() => (isSignedIn ? onSessionEnded(() => actions.askForLogin('ended')) : undefined), [isSignedIn, actions]);

  const session = useMemo<Session>(
    () => ({
      status: isPending ? 'loading' : isError && data === undefined ? 'failed' : 'ready',
      user,
      staffRole: data?.staffRole ?? null,
      ...loginState,
      ...actions,
      closeLogin: loginState.loginReason === 'ended' ? actions.endSession : () => actions.askForLogin(null),
      retry: () => void refetch(),
      requireAccount: () => {
        if (user === null) actions.askForLogin('needed');
        else if (user.isGuest) refuseGuest();
        return user !== null && !user.isGuest;
      },
    }),
    [isPending, isError, data, user, loginState, actions, refetch, refuseGuest],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
