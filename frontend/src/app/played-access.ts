import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { LiveHandlers } from '../shared/live/handlers';
import { projectChannel } from '../shared/live/channels';

export const PLAYED_CHANNELS = [projectChannel('projects'), projectChannel('media')];

/** What the player plays. */
export interface Played {
  readonly projectId: Id | null;
  readonly versionId: Id | null;
}

/** Why access was lost: 'announced' if the user did it or another message reports it, 'unknown' if the server refused access and no push gave the reason. */
export type Loss = 'removed' | 'private' | 'version removed' | 'announced' | 'unknown';

/** Handlers for the pushes that end the user's access to what is playing. */
export function playedLive(uid: Uid, played: () => Played, onLost: (loss: Loss) => void): LiveHandlers {
  const ifPlayed = (projectId: Id, loss: Loss) => {
    if (played().projectId === projectId) onLost(loss);
  };
  return {
    ProjectRemoved: (_cache, { projectId }) => ifPlayed(projectId, 'removed'),
    // Visitors receive no view when the project becomes private.
    ProjectVisibility: (_cache, { projectId, view }) => view === undefined && ifPlayed(projectId, 'private'),
    ProjectUsersRemoved: (_cache, { projectId, uids }) => uids.includes(uid) && ifPlayed(projectId, 'announced'),
    VersionRemoved: (_cache, { projectId, ids }) => ids.some((id) => id === played().versionId) && ifPlayed(projectId, 'version removed'),
  };
}

const TEXTS: Readonly<Record<Loss, ((projectName: string) => string) | null>> = {
  removed: (name) => `${name} was removed by its owner.`,
  private: (name) => `${name} is now private.`,
  'version removed': (name) => `The version of ${name} that was playing was removed.`,
  unknown: (name) => `You can no longer listen to ${name}.`,
  announced: null,
};

/** The message to show outside the project's page; null if none is needed. */
export const lossText = (loss: Loss, projectName: string): string | null => TEXTS[loss]?.(projectName) ?? null;
