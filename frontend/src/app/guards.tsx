import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../shared/session/session-provider';
import { PageLoading } from './page-loading';
import { paths } from './paths';
import { useIsPrerendered } from './prerendered';
import { Unreachable } from './unreachable';

/** The page to return to after the login. */
export interface CameFrom {
  readonly from?: string;
}

const fromOf = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string' ? state.from : undefined;

/** Pages for signed-in users. Others go to the login, which remembers the page they asked for. */
export function ForSignedIn() {
  const { status, user, hasSignedOut, retry } = useSession();
  const { pathname, search, hash } = useLocation();
  if (status === 'loading') return <PageLoading />;
  if (status === 'failed') return <Unreachable retry={retry} />;
  if (user !== null) return <Outlet key={user.uid} />;
  const state: CameFrom = hasSignedOut ? {} : { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}

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
