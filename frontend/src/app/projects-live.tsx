import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useEffectEvent } from 'react';
import { collectionsLive } from '../features/collections/collection.live';
import { profilesLive } from '../features/profiles/profiles.live';
import { projectsLive } from '../features/projects/projects.live';
import { useLive } from '../shared/live/live-provider';
import { erasedPeopleLive } from '../shared/people/erased-people.live';
import { sessionLive } from '../shared/session/session.live';
import { useSession } from '../shared/session/session-provider';
import { useLostProject } from './use-lost-project';

/**
 * Keeps projects, collections, profiles and the signed-in user current, takes erased people off open pages, and leaves a project's page when the user
 * loses access to it.
 */
export function ProjectsLive() {
  const uid = useSession().user?.uid ?? '';
  const live = useLive();
  const lose = useLostProject();
  const onLost = useEffectEvent((projectId: Id) => lose(projectId));
  useEffect(() => live.listen(projectsLive(uid, (projectId) => onLost(projectId))), [live, uid]);
  useEffect(() => live.listen(collectionsLive(uid)), [live, uid]);
  useEffect(() => live.listen(sessionLive), [live]);
  useEffect(() => live.listen(erasedPeopleLive), [live]);
  useEffect(() => live.listen(profilesLive), [live]);
  return null;
}
