import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { QueryClient } from '@tanstack/react-query';
import { removeItems } from '../../shared/live/cached-list';
import { projectChannel } from '../../shared/live/channels';
import type { LiveSubscriber, PushOf } from '../../shared/live/handlers';
import { PROJECTS_KEY, projectsOf } from './projects-queries';

/** That the user was invited to a project or removed from it; `project` is null if the list never contained it. */
export type MembershipNotice =
  | { readonly what: 'invited'; readonly project: ProjectView; readonly message: string | undefined }
  | { readonly what: 'removed'; readonly projectId: Id; readonly project: Pick<ListedProject, 'owner' | 'projectName'> | null };

const refresh = (cache: QueryClient) => void cache.invalidateQueries({ queryKey: PROJECTS_KEY });

const listed = (cache: QueryClient, uid: Uid, projectId: Id): ListedProject | null =>
  cache.getQueryData(projectsOf(uid).queryKey)?.find(({ _id }) => _id === projectId) ?? null;

function removalNotice(cache: QueryClient, uid: Uid, push: PushOf<'ProjectUsersRemoved'>): MembershipNotice | null {
  const leftMyself = push.actorUid === uid;
  return push.uids.includes(uid) && !leftMyself ? { what: 'removed', projectId: push.projectId, project: listed(cache, uid, push.projectId) } : null;
}

/** Keeps the lists of projects current, and reports changes of the user's memberships. */
export function projectsLive(uid: Uid, notify: (notice: MembershipNotice) => void): LiveSubscriber {
  let notifiedAt = 0;
  /** The same change may arrive twice: in the project's room and in the user's. */
  const notifyOnce = (position: Position, notice: MembershipNotice | null) => {
    if (notice === null || position === notifiedAt) return;
    notifiedAt = position;
    notify(notice);
  };
  const drop = (cache: QueryClient, { projectId, position }: { readonly projectId: Id; readonly position: Position }) =>
    removeItems(cache, projectsOf(uid).queryKey, [projectId], position);
  return {
    channels: [projectChannel('projects'), projectChannel('media')],
    handlers: {
      ProjectUsersInvited: (cache, push) => {
        refresh(cache);
        if (push.uids.includes(uid)) notifyOnce(push.position, { what: 'invited', project: push.view, message: push.message });
      },
      ProjectUsersRemoved: (cache, push) => {
        notifyOnce(push.position, removalNotice(cache, uid, push));
        if (push.uids.includes(uid)) drop(cache, push);
        refresh(cache);
      },
      ProjectRemoved: (cache, push) => {
        drop(cache, push);
        refresh(cache);
      },
      ProjectPermissions: refresh,
      ProjectName: refresh,
      ProjectCompleted: refresh,
      ProjectVisibility: refresh,
      VersionAdded: refresh,
      VersionAnalyzed: refresh,
      VersionRemoved: refresh,
      VersionReplaced: refresh,
    },
    onMissed: refresh,
  };
}

/** The text of the toast about a change of membership. */
export function membershipText(notice: MembershipNotice): string {
  const by = notice.project === null ? null : fullName(notice.project.owner);
  if (notice.what === 'invited')
    return `${by} invited you to ${notice.project.projectName}${notice.message === undefined || notice.message === '' ? '' : `: ${notice.message}`}`;
  return notice.project === null ? 'You were removed from a project' : `${by} removed you from ${notice.project.projectName}`;
}
