import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { VisitAnswer } from '@roughmix/contracts/users/user.view.js';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router-dom';
import { api } from '../shared/api/client';
import { sessionQuery } from '../shared/session/session-query';
import type { CameFrom } from './guards';
import { PageLoading } from './page-loading';
import { paths } from './paths';

/** Whether this browser may open an address. If it may and no session is known here, it signed in elsewhere: the session is asked for again. */
const visitOf = (href: string) =>
  queryOptions({
    queryKey: ['visit', href],
    queryFn: async ({ client, signal }): Promise<VisitAnswer['access']> => {
      const { access } = (await api.send<VisitAnswer>('POST', USER_PATHS.visit, { href }, { signal, retries: 0 })).answer;
      if (access === 'authorized') await client.refetchQueries(sessionQuery);
      return access;
    },
    retry: false,
    // The answer holds for one visit.
    gcTime: 0,
  });

const useHref = (): string => {
  const { pathname, search, hash } = useLocation();
  return `${pathname}${search}${hash}`;
};

/** A page behind the login without a known session: leads to the login, which remembers the page, unless the server knows a session. */
export function VisitWithoutSession() {
  const href = useHref();
  const { isPending } = useQuery(visitOf(href));
  const state: CameFrom = { from: href };
  return isPending ? <PageLoading /> : <Navigate to={paths.login} replace state={state} />;
}

/** An address that is no page: leads users on to their projects, everyone else to the login. */
export function UnknownAddress() {
  const { data: access, isPending } = useQuery(visitOf(useHref()));
  return isPending ? <PageLoading /> : <Navigate to={access === 'denied' ? paths.projects : paths.login} replace />;
}
