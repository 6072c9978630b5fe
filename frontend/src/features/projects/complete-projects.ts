import type { EditProjectBody } from '@roughmix/contracts/projects/project.api.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ListedProject, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { useToast } from '../../shared/ui/toast-queue';
import { projectsOf } from './projects-queries';

/** Which projects to mark as completed, or as in progress. */
export interface Completing {
  readonly projects: readonly ListedProject[];
  readonly completed: boolean;
}

/** Marks projects one by one; each changes in the list once it is saved, so a retry after a failure sends the rest. */
export function useCompleteProjects(viewer: Uid) {
  const cache = useQueryClient();
  const toaster = useToast();
  const { queryKey } = projectsOf(viewer);
  const { mutate } = useMutation({
    mutationFn: async ({ projects, completed }: Completing) => {
      for (const { _id } of projects) {
        const body: EditProjectBody = { submission: { completed } };
        await api.send<UpdatedProjectAnswer>('PUT', PROJECT_PATHS.edit(_id), body);
        cache.setQueryData(queryKey, (list) => list?.map((project) => (project._id === _id ? { ...project, completed } : project)));
      }
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  });
  const complete = (completing: Completing): void =>
    mutate(completing, {
      onError: (error) => toaster.show({ message: errorMessage(error), kind: 'failed', action: { label: 'Retry', onPress: () => complete(completing) } }),
    });
  return complete;
}
