import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ListedProject, ProjectRemovedAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { removeItems } from '../../shared/live/cached-list';
import { projectsOf } from './projects-queries';

/** Removes a project; returns the position of its removal, or the newest known one if it was already removed. */
async function removeOne({ _id, position }: ListedProject): Promise<Position> {
  try {
    return (await api.send<ProjectRemovedAnswer>('POST', PROJECT_PATHS.remove(_id), {})).position ?? position;
  } catch (error) {
    if (!isProblem(error, 'project.not-found')) throw error;
    return position;
  }
}

/** Removes projects one after the other; each leaves the list as soon as it is gone, so that what fails stays in it. */
export function useRemoveProjects(viewer: Uid, onRemoved: (project: ListedProject) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (projects: readonly ListedProject[]) => {
      for (const project of projects) {
        const removedAt = await removeOne(project);
        removeItems(cache, projectsOf(viewer).queryKey, [project._id], removedAt);
        onRemoved(project);
      }
    },
  });
}
