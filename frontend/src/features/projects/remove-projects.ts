import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ProjectRemovedAnswer, ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { removeIds } from '../../shared/api/upsert-newer';
import { projectsOf } from './projects-queries';

async function removeOne({ _id }: ListedProject): Promise<void> {
  try {
    await api.send<ProjectRemovedAnswer>('POST', PROJECT_PATHS.remove(_id), {});
  } catch (error) {
    if (!isProblem(error, 'project.not-found')) throw error; // gone already is as good
  }
}

/** Removes projects one after the other; each leaves the list as soon as it is gone, so that what fails stays in it. */
export function useRemoveProjects(viewer: Uid, onRemoved: (project: ListedProject) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (projects: readonly ListedProject[]) => {
      for (const project of projects) {
        await removeOne(project);
        cache.setQueryData(projectsOf(viewer).queryKey, (list) => list && removeIds(list, [project._id]));
        onRemoved(project);
      }
    },
  });
}
