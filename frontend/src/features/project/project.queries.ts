import type { ProjectChanges } from '@roughmix/contracts/projects/project.api.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { PermissionLevel, ProjectRemovedAnswer, ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { queryOptions, skipToken, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client';
import { takeNotes } from '../../shared/project/project-notes';

/** The open project. The page's request fills it; command responses and pushes keep it current. */
export const projectOf = (projectId: Id) => queryOptions<ProjectView>({ queryKey: ['project', projectId], queryFn: skipToken });

/** The newer of two views. Pushes to a room omit rights, so these are kept. */
export function newerProject(current: ProjectView, incoming: ProjectView, level?: PermissionLevel): ProjectView {
  if (current.position > incoming.position) return current;
  const permissionLevel = level ?? incoming.permissionLevel ?? current.permissionLevel;
  return { ...current, ...incoming, ...(permissionLevel === undefined ? {} : { permissionLevel }) };
}

/** Updates the cached project and its notes, if the page has loaded it. */
export function takeProject(cache: QueryClient, incoming: ProjectView, level?: PermissionLevel): void {
  const isOpen = cache.setQueryData(projectOf(incoming._id).queryKey, (current) => current && newerProject(current, incoming, level)) !== undefined;
  if (isOpen) takeNotes(cache, incoming);
}

/** Drops a project that the user can no longer open from the cache, and refetches the lists. */
export function forgetProject(cache: QueryClient, projectId: Id): void {
  cache.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) });
  void cache.invalidateQueries({ queryKey: ['projects'] });
}

/** A command that answers with the changed project. */
function useProjectCommand<Input = void>(send: (input: Input) => Promise<UpdatedProjectAnswer>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await send(input)).updatedProject,
    onSuccess: (project) => {
      takeProject(cache, project);
      void cache.invalidateQueries({ queryKey: ['projects'] });
    },
  });
}

/** Edits a project's name, description, visibility or completion. */
export const useEditProject = (projectId: Id) =>
  useProjectCommand<ProjectChanges>(
    async (submission) => (await api.send<UpdatedProjectAnswer>('PUT', PROJECT_PATHS.edit(projectId), { submission }, { wantsProject: true })).answer,
  );

/** Makes the user the owner of a project whose owner's account was removed. */
export const useTakeOver = (projectId: Id) =>
  useProjectCommand(async () => (await api.send<UpdatedProjectAnswer>('POST', PROJECT_PATHS.takeOver(projectId), {}, { wantsProject: true })).answer);

export const useRemoveProject = (projectId: Id) =>
  useMutation({ mutationFn: () => api.send<ProjectRemovedAnswer>('POST', PROJECT_PATHS.remove(projectId), {}) });
