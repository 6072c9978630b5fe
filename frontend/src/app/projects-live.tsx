import { fullName } from '@roughmix/contracts/users/user.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { forgetProject, projectOf } from '../features/project/project.queries';
import { projectsLive, sentenceOfConcern, type Concern } from '../features/projects/projects.live';
import { useLive } from '../shared/live/live-provider';
import { useSession } from '../shared/session/session-provider';
import { useToast } from '../shared/ui/toast-queue';
import { paths } from './paths';

/** Tells invitations and removals wherever one is, and leads away from a project that is no longer one's own to see. */
export function ProjectsLive() {
  const uid = useSession().user?.uid ?? '';
  const live = useLive();
  const toaster = useToast();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const cache = useQueryClient();
  /** Who came by a link never saw the list: then the open page knows the project. */
  const knownToPage = (concern: Concern): Concern =>
    concern.what === 'removed' && concern.project === null
      ? { ...concern, project: cache.getQueryData(projectOf(concern.projectId).queryKey) ?? null }
      : concern;
  const tell = useEffectEvent((told: Concern) => {
    const concern = knownToPage(told);
    const face = concern.project === null ? {} : { face: { name: fullName(concern.project.owner), photo: concern.project.owner.smallPhoto } };
    const open = concern.what === 'invited' ? { action: { label: 'Open', onPress: () => void navigate(paths.project(concern.project, uid)) } } : {};
    toaster.show({ message: sentenceOfConcern(concern), ...face, ...open });
    if (concern.what !== 'removed') return;
    if (pathname.endsWith(`/projects/${concern.projectId}`)) void navigate(paths.projects);
    forgetProject(cache, concern.projectId);
  });
  useEffect(() => live.listen(projectsLive(uid, (concern) => tell(concern))), [live, uid]);
  return null;
}
