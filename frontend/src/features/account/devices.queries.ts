import type { Id } from '@roughmix/contracts/shared/ids.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';

/** Where the user is signed in. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await api.get<SessionsAnswer>(USER_PATHS.sessions, { signal })).sessions,
  staleTime: 0,
});

/** Ends one session, or, with null, all others; one that has ended meanwhile is gone too. */
async function endSession(id: Id | null): Promise<void> {
  try {
    await api.send('DELETE', id === null ? USER_PATHS.sessions : USER_PATHS.deviceSession(id));
  } catch (error) {
    if (!isProblem(error, 'session.not-found')) throw error;
  }
}

export function useEndSession() {
  const cache = useQueryClient();
  return useMutation({ mutationFn: endSession, onSettled: () => cache.invalidateQueries({ queryKey: devicesQuery.queryKey }) });
}
