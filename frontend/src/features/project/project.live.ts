import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { projectChannel } from '../../shared/live/channels';
import type { LiveHandlers, PushOf } from '../../shared/live/handlers';
import { takeProject } from './project.queries';

export const PROJECTS_CHANNEL = projectChannel('projects');

/** Why a project's page cannot stay open. */
export type Gone = 'removed' | 'private';

export interface ProjectLiveOptions {
  readonly uid: Uid;
  readonly onGone: (why: Gone) => void;
  /** The user's rights changed, and the push does not contain the new ones. */
  readonly onRights: () => void;
}

const take = (cache: QueryClient, { view }: { readonly view?: ProjectView }) => view && takeProject(cache, view);

/** A member removed by the system was erased: their name disappears everywhere, so the whole project is refetched. */
function removed(cache: QueryClient, push: PushOf<'ProjectUsersRemoved'>): void {
  take(cache, push);
  if (push.actorUid === null) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(push.projectId) });
}

/** Keeps the open project current. `ProjectsLive` returns removed users to the list. */
export function projectLive({ uid, onGone, onRights }: ProjectLiveOptions): LiveHandlers {
  const members = (cache: QueryClient, { uids, view, permissionLevel }: PushOf<'ProjectUsersInvited'> | PushOf<'ProjectPermissions'>) => {
    takeProject(cache, view, permissionLevel);
    if (uids.includes(uid) && permissionLevel === undefined) onRights();
  };
  return {
    ProjectName: take,
    ProjectDescription: take,
    ProjectNotes: take,
    ProjectCompleted: take,
    ProjectVisibility: (cache, push) => (push.view === undefined ? onGone('private') : takeProject(cache, push.view)),
    ProjectUsersInvited: members,
    ProjectPermissions: members,
    ProjectUsersRemoved: removed,
    ProjectRemoved: () => onGone('removed'),
  };
}
