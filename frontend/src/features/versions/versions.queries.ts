import type { ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { queryOptions, skipToken, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client';
import { removeItems, takeItems } from '../../shared/live/cached-list';

/** A project's versions, oldest first. The page's request fills the list. */
export const versionsOf = (projectId: Id) => queryOptions<readonly VersionView[]>({ queryKey: ['versions', projectId], queryFn: skipToken });

/** Adds or updates a version; the newest position wins. */
export const takeVersion = (cache: QueryClient, view: VersionView): void => takeItems(cache, versionsOf(view.projectId).queryKey, [view]);

export const dropVersions = (cache: QueryClient, projectId: Id, ids: readonly Id[], position: Position): void =>
  removeItems(cache, versionsOf(projectId).queryKey, ids, position);

/** Removes a version; `onProject` receives the updated project. */
export function useRemoveVersion(projectId: Id, onProject: (project: ProjectView) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (versionId: Id) => api.send<UpdatedProjectAnswer>('POST', VERSION_PATHS.one(versionId), { projectId }, { wantsProject: true }),
    onSuccess: ({ answer: { updatedProject }, position }, versionId) => {
      onProject(updatedProject);
      dropVersions(cache, projectId, [versionId], position ?? updatedProject.position);
    },
  });
}
