import { fullName } from '@roughmix/contracts/users/user.view.js';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
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
  const tell = useEffectEvent((concern: Concern) => {
    const face = concern.project === null ? {} : { face: { name: fullName(concern.project.owner), photo: concern.project.owner.smallPhoto } };
    const open = concern.what === 'invited' ? { action: { label: 'Open', onPress: () => void navigate(paths.project(concern.project, uid)) } } : {};
    toaster.show({ message: sentenceOfConcern(concern), ...face, ...open });
    if (concern.what === 'removed' && pathname.endsWith(`/projects/${concern.projectId}`)) void navigate(paths.projects);
  });
  useEffect(() => live.listen(projectsLive(uid, (concern) => tell(concern))), [live, uid]);
  return null;
}
