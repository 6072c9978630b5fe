import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { removeItems } from '../../shared/live/cached-list';
import { projectChannel } from '../../shared/live/channels';
import type { LiveSubscriber } from '../../shared/live/handlers';
import { PROJECTS_KEY, projectsOf } from './projects-queries';

const refresh = (cache: QueryClient) => void cache.invalidateQueries({ queryKey: PROJECTS_KEY });

/** Keeps the lists of projects current. @param onLost called when the user was removed from a project */
export function projectsLive(uid: Uid, onLost: (projectId: Id) => void): LiveSubscriber {
  const drop = (cache: QueryClient, { projectId, position }: { readonly projectId: Id; readonly position: Position }) =>
    removeItems(cache, projectsOf(uid).queryKey, [projectId], position);
  return {
    channels: [projectChannel('projects'), projectChannel('media')],
    handlers: {
      ProjectUsersInvited: refresh,
      ProjectUsersRemoved: (cache, push) => {
        if (push.uids.includes(uid)) {
          if (push.actorUid !== uid) onLost(push.projectId);
          drop(cache, push);
        }
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
      PlaybackCopied: refresh,
      VersionRemoved: refresh,
      VersionReplaced: refresh,
    },
    onMissed: refresh,
  };
}
