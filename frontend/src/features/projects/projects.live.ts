import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveHandlers, PushOf } from '../../shared/live/handlers';
import { PROJECTS_KEY, projectsOf } from './projects-queries';

/** What happened to oneself in a project; `project` is null when the list never knew it. */
export type Concern =
  | { readonly what: 'invited'; readonly project: ProjectView; readonly message: string | undefined }
  | { readonly what: 'removed'; readonly projectId: string; readonly project: Pick<ListedProject, 'owner' | 'projectName'> | null };

const refresh = (cache: QueryClient) => void cache.invalidateQueries({ queryKey: PROJECTS_KEY });

const known = (cache: QueryClient, uid: Uid, projectId: string): ListedProject | null =>
  cache.getQueryData(projectsOf(uid).queryKey)?.find(({ _id }) => _id === projectId) ?? null;

function onRemoved(cache: QueryClient, uid: Uid, push: PushOf<'ProjectUsersRemoved'>): Concern | null {
  const leftMyself = push.actorUid === uid;
  return push.uids.includes(uid) && !leftMyself ? { what: 'removed', projectId: push.projectId, project: known(cache, uid, push.projectId) } : null;
}

/** Keeps the lists of projects true, and tells what concerns oneself. A message may come twice: to the project and to oneself. */
export function projectsLive(uid: Uid, tell: (concern: Concern) => void): LiveHandlers {
  let toldAt = 0;
  const once = (position: number, concern: Concern | null) => {
    if (concern === null || position === toldAt) return;
    toldAt = position;
    tell(concern);
  };
  return {
    ProjectUsersInvited: (cache, push) => {
      refresh(cache);
      if (push.uids.includes(uid)) once(push.position, { what: 'invited', project: push.view, message: push.message });
    },
    ProjectUsersRemoved: (cache, push) => {
      once(push.position, onRemoved(cache, uid, push));
      refresh(cache);
    },
    ProjectPermissions: refresh,
    ProjectName: refresh,
    ProjectRemoved: refresh,
    ProjectVisibility: refresh,
    VersionAdded: refresh,
    VersionAnalyzed: refresh,
    VersionRemoved: refresh,
    VersionReplaced: refresh,
  };
}

/** The sentence of a notification. */
export function sentenceOfConcern(concern: Concern): string {
  const by = concern.project === null ? null : fullName(concern.project.owner);
  if (concern.what === 'invited')
    return `${by} invited you to ${concern.project.projectName}${concern.message === undefined || concern.message === '' ? '' : `: ${concern.message}`}`;
  return concern.project === null ? 'You were removed from a project' : `${by} removed you from ${concern.project.projectName}`;
}
