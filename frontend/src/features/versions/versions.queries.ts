import type { ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { queryOptions, skipToken, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client';
import { removeIds, upsertNewer } from '../../shared/api/upsert-newer';

/** A project's versions, the oldest first; the page's one call fills them. */
export const versionsOf = (projectId: Id) => queryOptions<readonly VersionView[]>({ queryKey: ['versions', projectId], queryFn: skipToken });

/** Takes a version into the list, the newest position winning. */
export const takeVersion = (cache: QueryClient, view: VersionView): void =>
  void cache.setQueryData(versionsOf(view.projectId).queryKey, (list) => list && upsertNewer(list, view));

export const dropVersions = (cache: QueryClient, projectId: Id, ids: readonly Id[]): void =>
  void cache.setQueryData(versionsOf(projectId).queryKey, (list) => list && removeIds(list, ids));

/** Removes a version; `onProject` is given the project as it stands then. */
export function useRemoveVersion(projectId: Id, onProject: (project: ProjectView) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (versionId: Id) =>
      (await api.send<UpdatedProjectAnswer>('POST', VERSION_PATHS.one(versionId), { projectId }, { wantsProject: true })).answer,
    onSuccess: ({ updatedProject }, versionId) => {
      onProject(updatedProject);
      dropVersions(cache, projectId, [versionId]);
    },
  });
}
