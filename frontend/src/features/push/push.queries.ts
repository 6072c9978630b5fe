import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pushState, turnOff, turnOn } from './push-here';

/** Whether this browser gets the user's push messages. */
export const pushQuery = (uid: Uid) => queryOptions({ queryKey: ['push-here', uid], queryFn: () => pushState(uid), staleTime: 0, networkMode: 'always' });

/** Turns them on (true) or off. */
export function useTurnPush(uid: Uid) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => (on ? turnOn(uid) : turnOff()),
    networkMode: 'always',
    onSettled: () => cache.invalidateQueries({ queryKey: pushQuery(uid).queryKey }),
  });
}

/** Follows the permission, which the user may change in the browser's settings. */
export function usePermissionChange(uid: Uid): void {
  const cache = useQueryClient();
  useEffect(() => {
    const listening = new AbortController();
    const { permissions } = navigator as Partial<Pick<Navigator, 'permissions'>>;
    const refresh = () => void cache.invalidateQueries({ queryKey: pushQuery(uid).queryKey });
    // Browsers that do not tell about this permission show its change when the settings are opened again.
    const follow = (status: PermissionStatus | undefined) => status?.addEventListener('change', refresh, { signal: listening.signal });
    void permissions?.query({ name: 'notifications' }).then(follow, () => undefined);
    return () => listening.abort();
  }, [cache, uid]);
}
