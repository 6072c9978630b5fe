import type { SelfView, SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { isProblem } from '../api/api-errors';
import { api } from '../api/client';

/** The signed-in user; null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<SessionAnswer | null> => {
    try {
      return await api.get<SessionAnswer>(USER_PATHS.session, { signal, allowsAnonymous: true });
    } catch (error) {
      if (isProblem(error, 'auth.required')) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Shows the signed-in user as changed, in the header and everywhere else; an older state changes nothing. */
export const cacheSelf = (cache: QueryClient, user: SelfView): void =>
  void cache.setQueryData(sessionQuery.queryKey, (before) =>
    before?.user.uid === user.uid && before.user.position <= user.position ? { ...before, user } : before,
  );
