import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import { usePlayerStore } from '../features/player/player-provider';
import { forgetProject } from '../features/project/project.queries';
import { paths } from './paths';

/** What to do once the user can no longer open a project: stop playing it, leave its page, and refetch the lists. */
export function useLostProject(): (projectId: Id) => void {
  const player = usePlayerStore();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const cache = useQueryClient();
  return (projectId) => {
    player.release(projectId);
    if (pathname.endsWith(`/projects/${projectId}`)) void navigate(paths.projects);
    forgetProject(cache, projectId);
  };
}
