import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { QueryClient } from '@tanstack/react-query';
import { projectChannel } from '../../shared/live/channels';
import type { LiveHandlers } from '../../shared/live/handlers';
import { dropVersions, takeVersion } from './versions.queries';

export const MEDIA_CHANNEL = projectChannel('media');

const take = (cache: QueryClient, { view }: { readonly view: VersionView }) => takeVersion(cache, view);

/** Keeps the versions current, and reports one that another member added. */
export const versionLive = (onAdded: (version: VersionView) => void): LiveHandlers => ({
  VersionAdded: (cache, { view }) => {
    takeVersion(cache, view);
    onAdded(view);
  },
  VersionAnalyzed: take,
  PlaybackCopied: take,
  VersionRejected: take,
  VersionReplaced: take,
  VersionRemoved: (cache, { projectId, ids, position }) => dropVersions(cache, projectId, ids, position),
});
