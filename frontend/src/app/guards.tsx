import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../shared/session/session-provider';
import { paths } from './paths';

/** The page to return to after the login. */
export interface CameFrom {
  readonly from?: string;
}

const fromOf = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string' ? state.from : undefined;

/** Pages for signed-in users. Others go to the login, which remembers the page they asked for. */
export function ForSignedIn() {
  const { user, leftOnPurpose } = useSession();
  const { pathname, search, hash } = useLocation();
  if (user !== null) return <Outlet key={user.uid} />;
  const state: CameFrom = leftOnPurpose ? {} : { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}

/** Public pages. Signed-in users go on to the page they asked for, or to the projects. */
export function ForAnybody() {
  const { user } = useSession();
  const location: { readonly state: unknown } = useLocation();
  return user === null ? <Outlet /> : <Navigate to={fromOf(location.state) ?? paths.projects} replace />;
}
