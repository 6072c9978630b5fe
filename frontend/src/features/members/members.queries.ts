import type { EditPermissionsBody, InviteUsersBody } from '@roughmix/contracts/projects/project.api.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../shared/api/client';

/** Invites people; `onProject` receives the updated project. */
export const useInviteUsers = ({ _id, owner }: Pick<ProjectView, '_id' | 'owner'>, onProject: (project: ProjectView) => void) =>
  useMutation({
    mutationFn: async (body: InviteUsersBody) =>
      (await api.send<UpdatedProjectAnswer>('PUT', PROJECT_PATHS.invite(owner.uid, _id), body, { wantsProject: true })).answer.updatedProject,
    onSuccess: onProject,
  });

/** Saves changes of the members' rights. */
export const useEditPermissions = ({ _id, owner }: Pick<ProjectView, '_id' | 'owner'>, onProject: (project: ProjectView) => void) =>
  useMutation({
    mutationFn: async (body: EditPermissionsBody) =>
      (await api.send<UpdatedProjectAnswer>('PUT', PROJECT_PATHS.editPermissions(owner.uid, _id), body, { wantsProject: true })).answer.updatedProject,
    onSuccess: onProject,
  });
