import { PLAY_PATHS } from '@roughmix/contracts/plays/play.paths.js';
import type { PlaysView } from '@roughmix/contracts/plays/play.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client';

const FRESH_MS = 30_000;

/** How often a version was played, for the project's owner. Plays are not pushed. */
export const playsOf = (versionId: Id) =>
  queryOptions<PlaysView>({
    queryKey: ['plays', versionId],
    queryFn: ({ signal }) => api.get<PlaysView>(PLAY_PATHS.ofVersion(versionId), { signal }),
    staleTime: FRESH_MS,
  });
