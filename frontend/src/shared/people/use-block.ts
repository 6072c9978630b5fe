import { BLOCK_PATHS } from '@roughmix/contracts/blocks/block.paths.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../api/api-errors';
import { api } from '../api/client';
import { useSession } from '../session/session-provider';
import { sessionQuery } from '../session/session-query';
import { useToast } from '../ui/toast-queue';

/** Shows a person as blocked, or no longer; the server pushes the same to the user's tabs. */
function cacheBlock(cache: QueryClient, uid: Uid, blocks: boolean): void {
  cache.setQueryData(sessionQuery.queryKey, (session) => {
    if (!session) return session;
    const others = session.user.blocked.filter((other) => other !== uid);
    return { ...session, user: { ...session.user, blocked: blocks ? [...others, uid] : others } };
  });
}

/** Whether the user blocks a person, and how to change that: `change.mutate(true)` blocks them, `unblock` shows why it failed. */
export function useBlock(person: PersonView) {
  const { uid } = person;
  const toaster = useToast();
  const { user } = useSession();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (blocks: boolean) =>
      blocks ? api.send('PUT', BLOCK_PATHS.one(user?.uid ?? '', uid), {}) : api.send('DELETE', BLOCK_PATHS.one(user?.uid ?? '', uid)),
    onSuccess: (_sent, blocks) => cacheBlock(cache, uid, blocks),
  });
  const unblock = (done?: () => void) =>
    change.mutate(false, {
      onSuccess: () => done?.(),
      onError: (error) => toaster.show({ kind: 'failed', message: `${isolated(fullName(person))}: ${errorMessage(error)}` }),
    });
  return { isBlocked: user?.blocked.includes(uid) === true, change, unblock };
}
