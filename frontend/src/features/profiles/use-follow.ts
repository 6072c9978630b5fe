import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName, type PersonView, type UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { useOptimisticEdits, usePendingEdits } from '../../shared/api/optimistic-edits';
import { useSession } from '../../shared/session/session-provider';
import { cacheSelf } from '../../shared/session/session-query';
import { useToast } from '../../shared/ui/toast-queue';

interface Follow {
  readonly follows: boolean;
}

/** Whether the user follows a person, with the answer still on its way, and how to change that. The session holds the server's copy. */
export function useFollow(person: PersonView) {
  const { user, requireAccount } = useSession();
  const cache = useQueryClient();
  const toaster = useToast();
  const key = ['follow', person.uid] as const;
  const pending = usePendingEdits<Follow>(key);
  const isFollowing = pending.at(-1)?.changes.follows ?? (user !== null && Object.hasOwn(user.connections, person.uid));
  const send = useOptimisticEdits<Follow, UpdatedUserAnswer>({
    key,
    send: async ({ changes: { follows } }) => {
      const { answer } = await api.send<UpdatedUserAnswer>(
        follows ? 'PUT' : 'DELETE',
        PROFILE_PATHS.connection(user?.uid ?? '', person.uid),
        follows ? {} : undefined,
      );
      return answer;
    },
    onSaved: ({ updatedUser }) => cacheSelf(cache, updatedUser),
    onFailed: (error, retry) =>
      toaster.show({ kind: 'failed', message: `${isolated(fullName(person))}: ${errorMessage(error)}`, action: { label: 'Retry', onPress: retry } }),
  });
  const toggle = () => {
    if (requireAccount()) send({ id: person.uid, changes: { follows: !isFollowing } });
  };
  return { isFollowing, toggle };
}
