import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import type { ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { welcomeStage } from '../features/account/welcome-stage';
import { useSession } from '../shared/session/session-provider';
import { PageLoading } from './page-loading';
import { isProfile, paths } from './paths';
import { useIsPrerendered } from './prerendered';
import { Unreachable } from './unreachable';
import { VisitWithoutSession } from './visits';

/** The page to return to after the login. */
export interface CameFrom {
  readonly from?: string;
}

const fromOf = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string' ? state.from : undefined;

interface WithUserProps {
  readonly children: (user: SelfView) => ReactNode;
  /** What visitors see instead of the login. */
  readonly visitor?: ReactNode;
}

/** Waits for the session. Visitors go to the login, which remembers the page they asked for unless they signed out on it. */
function WithUser({ children, visitor }: WithUserProps) {
  const { status, user, hasSignedOut, retry } = useSession();
  if (status === 'loading') return <PageLoading />;
  if (status === 'failed') return <Unreachable retry={retry} />;
  if (user !== null) return children(user);
  if (visitor !== undefined && !hasSignedOut) return visitor;
  return hasSignedOut ? <Navigate to={paths.login} replace state={{}} /> : <VisitWithoutSession />;
}

/** Whether a user has to complete their profile before anything else. */
export const isNewcomer = ({ isGuest, profileCompletion }: SelfView): boolean => !isGuest && welcomeStage(profileCompletion) !== 'done';

/** Pages for signed-in users; profiles are open to visitors too. */
export function ForSignedIn() {
  const { pathname } = useLocation();
  const visitor = isProfile(pathname) ? <Outlet key="visitor" /> : undefined;
  return <WithUser visitor={visitor}>{(user) => (isNewcomer(user) ? <Navigate to={paths.welcome} replace /> : <Outlet key={user.uid} />)}</WithUser>;
}

/** The welcome page, which itself sends on users who are past it. */
export const ForNewcomers = () => <WithUser>{({ uid }) => <Outlet key={uid} />}</WithUser>;

/** Public pages, which need no server to be read. Signed-in users go on to the page they asked for, or to the projects. */
export function ForAnybody() {
  const { status, user } = useSession();
  const isPrerendered = useIsPrerendered();
  const location: { readonly state: unknown } = useLocation();
  if (status === 'loading' && !isPrerendered) return <PageLoading />;
  return user === null ? <Outlet /> : <Navigate to={fromOf(location.state) ?? paths.projects} replace />;
}

/** Pages for everyone, which ask who is signed in. */
export const AfterSession = () => (useSession().status === 'loading' ? <PageLoading /> : <Outlet />);
