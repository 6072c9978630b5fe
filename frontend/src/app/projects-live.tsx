import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { collectionsLive } from '../features/collections/collection.live';
import { usePlayerStore } from '../features/player/player-provider';
import { profilesLive } from '../features/profiles/profiles.live';
import { forgetProject } from '../features/project/project.queries';
import { projectsLive } from '../features/projects/projects.live';
import { useLive } from '../shared/live/live-provider';
import { erasedPeopleLive } from '../shared/people/erased-people.live';
import { sessionLive } from '../shared/session/session.live';
import { useSession } from '../shared/session/session-provider';
import { paths } from './paths';

/**
 * Keeps projects, collections, profiles and the signed-in user current, takes erased people off open pages, and leaves a project's page when the user
 * loses access to it.
 */
export function ProjectsLive() {
  const uid = useSession().user?.uid ?? '';
  const live = useLive();
  const player = usePlayerStore();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const cache = useQueryClient();
  const leave = useEffectEvent((projectId: Id) => {
    player.release(projectId);
    if (pathname.endsWith(`/projects/${projectId}`)) void navigate(paths.projects);
    forgetProject(cache, projectId);
  });
  useEffect(() => live.listen(projectsLive(uid, (projectId) => leave(projectId))), [live, uid]);
  useEffect(() => live.listen(collectionsLive(uid)), [live, uid]);
  useEffect(() => live.listen(sessionLive), [live]);
  useEffect(() => live.listen(erasedPeopleLive), [live]);
  useEffect(() => live.listen(profilesLive), [live]);
  return null;
}
