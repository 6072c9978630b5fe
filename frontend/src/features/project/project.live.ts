import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveHandlers, PushOf } from '../../shared/live/handlers';
import { takeProject } from './project.queries';

/** Why a project's page cannot stay open. */
export type Gone = 'removed' | 'private';

export interface ProjectLiveOptions {
  readonly uid: Uid;
  readonly onGone: (why: Gone) => void;
  /** One's own rights changed, and the message does not say how. */
  readonly onRights: () => void;
}

const take = (cache: QueryClient, { view }: { readonly view?: ProjectView }) => view && takeProject(cache, view);

/** Whom the system takes out was erased: their name goes from everything on the page, and so all of the project is asked for again. */
function removed(cache: QueryClient, push: PushOf<'ProjectUsersRemoved'>): void {
  take(cache, push);
  if (push.actorUid === null) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(push.projectId) });
}

/** Keeps the open project true. Who was removed from it is led away by the shell, wherever they are. */
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
